import { once } from 'node:events'
import http2 from 'node:http2'
import https from 'node:https'

/** An address of this machine that is neither the proxy's nor a gateway's. */
export const CLIENT_ADDRESS = '127.0.0.2'
/** What a client claims to be; no log may name it. */
export const FORGED_ADDRESS = '203.0.113.9'

/** The protocol that the proxy selects, and the status of a request over HTTP/2. */
export async function requestOverHttp2(url: string): Promise<string> {
  const session = http2.connect(url)
  try {
    await once(session, 'connect')
    const stream = session.request({ ':path': '/api/app' })
    const [headers] = await once(stream, 'response')
    stream.resume()
    await once(stream, 'end')
    return `${session.alpnProtocol} ${headers[':status']}`
  } finally {
    session.close()
  }
}

/** `Content-Encoding` of the page for a browser that takes brotli and gzip. */
export async function encodingOfPage(url: string): Promise<string> {
  const { headers } = await send(url, '/', { headers: { 'Accept-Encoding': 'gzip, br' } })
  return String(headers['content-encoding'])
}

/** A failed sign-in from CLIENT_ADDRESS that claims to come from FORGED_ADDRESS. */
export async function failedSignIn(url: string, identifier: string): Promise<number | undefined> {
  const { statusCode } = await send(
    url,
    '/api/login',
    {
      method: 'POST',
      localAddress: CLIENT_ADDRESS,
      headers: {
        'Content-Type': 'application/json',
        Origin: url,
        'X-Forwarded-For': FORGED_ADDRESS,
        'X-Real-IP': FORGED_ADDRESS,
        Forwarded: `for=${FORGED_ADDRESS}`,
      },
    },
    JSON.stringify({ identifier, password: 'not this one' }),
  )
  return statusCode
}

async function send(url: string, path: string, options: https.RequestOptions, body?: string) {
  const { hostname, port } = new URL(url)
  const target = { hostname, port, path, family: 4, agent: false, ...options }
  const request = https.request(target)
  request.end(body)
  const [answer] = await once(request, 'response')
  answer.resume()
  await once(answer, 'end')
  return answer
}
