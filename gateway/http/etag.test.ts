import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freeze } from '#db/testing/clock'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, type Visitor } from '#gateway/testing/visitor'

let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct({ gateways: 2 })
  await freeze(product.db)
  member = await newMember(product)
  await member.call('POST /api/mining/start')
})
afterAll(() => product?.close())

/** All bytes of one answer on a connection that stays open, as a browser asks. */
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
      // A body that should not be there would come along or right behind.
      setTimeout(() => socket.destroy(), 50)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

it.each(['/api/mining/status', '/api/wallet', '/api/referral/info'])(
  'an unchanged %s costs under 300 bytes, whichever gateway is asked',
  async (path) => {
    const known = await member.fetch(path)
    const tag = known.headers.get('ETag') ?? ''
    expect(known.status).toBe(200)
    for (const url of product.urls) {
      const cookie = member.jar.header() ?? ''
      const answer = await bytesOf(`${url}${path}`, { Cookie: cookie, 'If-None-Match': tag })
      expect(answer).toMatch(/^HTTP\/1\.1 304 Not Modified\r\n/)
      expect(answer).toMatch(/\r\n\r\n$/)
      expect(answer.length).toBeLessThan(300)
    }
  },
)
