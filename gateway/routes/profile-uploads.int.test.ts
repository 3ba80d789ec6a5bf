import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const AT_ONCE = 8
/** No upload times out on a busy machine while it waits. */
const product = useProduct({ env: { REQUEST_TIMEOUT_MS: '120000' } })
const member = useMember(product)
beforeAll(() => product.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true }))

const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'
const FORM = [
  '--x',
  'Content-Disposition: form-data; name="documentType"',
  '',
  'passport',
  '--x',
  'Content-Disposition: form-data; name="document"; filename="a.pdf"',
  'Content-Type: application/pdf',
  '',
  PDF,
  '--x--',
  '',
].join('\r\n')
const HALF = Math.floor(FORM.length / 2)

/** The uploads that the gateway has received, in this process. */
let requests: IncomingMessage[]
const isUpload = ({ url }: IncomingMessage) => url === '/api/user/kyc'
const onRequest = (message: unknown) => {
  const { request } = message as { request: IncomingMessage }
  if (isUpload(request)) requests.push(request)
}
/** Uploads whose body is read and has not ended. */
const beingRead = () =>
  requests.filter(({ readableFlowing, readableEnded }) => readableFlowing && !readableEnded).length

beforeEach(() => {
  requests = []
  subscribe('http.server.request.start', onRequest)
})
afterEach(() => void unsubscribe('http.server.request.start', onRequest))

/** Sends the first half of an upload. */
function beginUpload(): Socket {
  const url = new URL(product.urls[0] ?? '')
  const head = [
    'POST /api/user/kyc HTTP/1.1',
    `Host: ${url.host}`,
    `Origin: ${url.origin}`,
    `Cookie: ${member.jar.header()}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${FORM.length}`,
  ]
  const socket = connect(Number(url.port), url.hostname)
  socket.write(`${head.join('\r\n')}\r\n\r\n${FORM.slice(0, HALF)}`)
  return socket
}

/** Sends the rest of an upload; the status of its answer. */
async function endUpload(socket: Socket): Promise<number> {
  const answered = once(socket, 'data')
  socket.write(FORM.slice(HALF))
  const [head] = await answered
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(head))?.[1])
}

it('of 20 parallel uploads a few are read at once, and all are answered', async () => {
  const sockets = Array.from({ length: 20 }, beginUpload)
  await expect.poll(() => requests.length).toBe(20)
  await expect.poll(beingRead).toBeGreaterThanOrEqual(AT_ONCE)
  // Time for the others to begin too.
  await sleep(500)
  expect(beingRead()).toBe(AT_ONCE)
  const statuses = await Promise.all(sockets.map(endUpload))
  expect(statuses.sort()).toEqual([200, ...Array<number>(19).fill(409)])
})

it('clients that disconnect while they wait for their turn do not take it', async () => {
  const first = Array.from({ length: AT_ONCE }, beginUpload)
  await expect.poll(beingRead).toBe(AT_ONCE)
  const leaving = Array.from({ length: AT_ONCE }, beginUpload)
  await expect.poll(() => requests.length).toBe(2 * AT_ONCE)
  await sleep(500)
  for (const socket of leaving) socket.destroy()
  await expect.poll(() => requests.filter(({ destroyed }) => destroyed).length).toBe(AT_ONCE)
  await Promise.all(first.map(endUpload))
  // Detects a hang: a turn that is taken without a client never ends.
  const late = sleep(60_000, 'late')
  expect(await Promise.race([endUpload(beginUpload()), late])).toBe(409)
})

it.each([
  ['many parts', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(20)],
  ['a part with a long head', `--x\r\n${'A: b\r\n'.repeat(2_000)}\r\nb\r\n`],
])('a form with %s is refused before it is parsed', async (_, parts) => {
  const parsed = vi.spyOn(Response.prototype, 'formData')
  const { status } = await send(`${parts}--x--\r\n`)
  expect([status, parsed.mock.calls.length]).toEqual([400, 0])
  parsed.mockRestore()
})

const send = (form: string | Buffer, type = 'multipart/form-data; boundary=x') =>
  member.fetch('/api/user/kyc', 0, {
    method: 'POST',
    body: form,
    headers: { 'Content-Type': type, Origin: product.urls[0] ?? '' },
  })

it.each([
  ['7bit', 200],
  ['8bit', 200],
  ['wonders', 200],
])('a part with the transfer encoding %s is read', async (encoding, status) => {
  const disposition = 'Content-Disposition: form-data; name="documentType"'
  const form = FORM.replace(disposition, `Content-Transfer-Encoding: ${encoding}\r\n${disposition}`)
  expect((await send(form)).status).toBe(status)
})

// A search whose time grows with the square of the length takes minutes.
it('a header of a megabyte is no form', async () => {
  const form = FORM.replace('filename="a.pdf"', `${'filename="'.repeat(100_000)}x`)
  expect((await send(form)).status).toBe(400)
})

it('a form that is larger than a document may be is refused', async () => {
  const form = FORM.replace('passport', 'p'.repeat(6_000_000))
  expect((await send(form)).status).toBe(413)
})

it.each(['json', 'urlencoded', 'octet-stream'])(
  'the boundary %s is one like others',
  async (name) => {
    const type = `multipart/form-data; boundary=${name}`
    expect((await send(FORM.replaceAll('--x', `--${name}`), type)).status).toBe(200)
  },
)
