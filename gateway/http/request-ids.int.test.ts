import { describe, expect, it } from 'vitest'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'

const HEADER = 'X-Request-Id'
const OWN_ID = /^[\w-]{36}$/

const product = useProduct()
const idOf = async (visitor: Visitor, sent?: string) => {
  const headers: Record<string, string> = sent === undefined ? {} : { [HEADER]: sent }
  return (await visitor.fetch('/api/user', 0, { headers })).headers.get(HEADER)
}

describe('without a trusted proxy', () => {
  const member = useMember(product)

  it('each answer carries a new request id', async () => {
    const visitor = new Visitor(product)
    const [first, second] = [await idOf(visitor), await idOf(visitor)]
    expect(first).toMatch(OWN_ID)
    expect(second).toMatch(OWN_ID)
    expect(second).not.toBe(first)
  })

  it('a request id that a client sends is replaced', async () => {
    expect(await idOf(new Visitor(product), 'id-of-another-request')).toMatch(OWN_ID)
  })

  it('an answer without a change carries no request id', async () => {
    const etag = (await member.fetch('/api/referral/info')).headers.get('ETag') ?? ''
    const answer = await member.fetch('/api/referral/info', 0, {
      headers: { 'If-None-Match': etag },
    })
    expect(answer.status).toBe(304)
    expect(answer.headers.get(HEADER)).toBeNull()
  })
})

describe('behind a trusted proxy', () => {
  const proxied = useProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } })

  it('the request id of the proxy is kept', async () => {
    expect(await idOf(new Visitor(proxied), 'proxy.id-0001')).toBe('proxy.id-0001')
  })

  it.each(['short', 'x'.repeat(65), 'a b c d e f', '{"msg":"forged"}', 'tab\tin-it-1'])(
    'the unusable request id %j is replaced',
    async (sent) => {
      expect(await idOf(new Visitor(proxied), sent)).toMatch(OWN_ID)
    },
  )
})
