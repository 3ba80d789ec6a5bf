import { connect } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, frozen: true })
let member: Visitor

beforeAll(async () => {
  member = await newMember(product)
  await member.call('POST /api/mining/start')
})

/** All bytes of one response on a keep-alive connection. */
function bytesOf(url: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port, pathname } = new URL(url)
  const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.write(`GET ${pathname} HTTP/1.1\r\n${head}\r\n`)
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (!answer.includes('\r\n\r\n')) return
      // Waits for a body that should not be there.
      setTimeout(() => socket.destroy(), 50)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

it.each(['/api/mining/status', '/api/wallet', '/api/referral/info'])(
  'an unchanged %s costs under 300 bytes on every gateway',
  async (path) => {
    const first = await member.fetch(path)
    const etag = first.headers.get('ETag') ?? ''
    expect(first.status).toBe(200)
    for (const url of product.urls) {
      const cookie = member.jar.header() ?? ''
      const answer = await bytesOf(`${url}${path}`, { Cookie: cookie, 'If-None-Match': etag })
      expect(answer).toMatch(/^HTTP\/1\.1 304 Not Modified\r\n/)
      expect(answer).toMatch(/\r\n\r\n$/)
      expect(answer.length).toBeLessThan(300)
    }
  },
)
