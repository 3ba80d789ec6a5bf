import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({
  frozen: true,
  audited: true,
  env: { TASK_TELEGRAM_URL: 'https://t.me/tesp', SUPPORT_URL: 'mailto:help@tesp.example' },
})
let member: Visitor

beforeAll(async () => {
  member = await newMember(product)
})

describe('GET /api/network', () => {
  it('the network figures follow the sessions and credits', async () => {
    const figures = async () => {
      const { nodes, blockHeight, hashrate, activity } = (await member.call('GET /api/network'))
        .body
      const credits = activity.reduce((total, hour) => total + hour.credits, 0)
      return { nodes, blockHeight, hashrate, hours: activity.length, credits }
    }
    const idle = { nodes: 0, blockHeight: 0, hashrate: 0, hours: 24, credits: 0 }
    expect(await figures()).toEqual(idle)
    const other = await newMember(product)
    await member.call('POST /api/mining/start')
    await other.call('POST /api/mining/start')
    expect(await figures()).toEqual({ ...idle, nodes: 2, hashrate: 0.2 })
    await advance(product.db, HOUR_MS)
    await member.call('POST /api/mining/stop')
    expect(await figures()).toMatchObject({ nodes: 1, blockHeight: 3, hashrate: 0.1, credits: 3 })
  })

  it('the AI shares add up to 100 % and stay within bounds', async () => {
    const { aiStatus } = (await member.call('GET /api/network')).body
    const { mining, security, analytics, research } = aiStatus.allocation
    expect(mining + security + analytics + research).toBe(100)
    for (const percent of [aiStatus.training, aiStatus.dataProcessing, aiStatus.accuracy]) {
      expect(percent).toBeGreaterThanOrEqual(0)
      expect(percent).toBeLessThanOrEqual(100)
    }
  })
})

describe('GET /api/app', () => {
  it('visitors get the feature flags, the task links and the links of the operator', async () => {
    const { status, body } = await new Visitor(product).call('GET /api/app')
    expect(status).toBe(200)
    expect(body).toEqual({
      flags: [],
      minimumVersion: null,
      taskLinks: expect.objectContaining({
        follow_twitter: 'https://twitter.com/',
        join_telegram: 'https://t.me/tesp',
      }),
      links: { support: 'mailto:help@tesp.example' },
    })
  })

  it('a feature flag can be on for one member or for all', async () => {
    const flags = async (who: Visitor) => (await who.call('GET /api/app')).body.flags
    await product.db('feature_flags').update({ enabledForUsers: [member.user?.id] })
    expect(await flags(member)).toEqual(['kyc'])
    expect(await flags(new Visitor(product))).toEqual([])
    await product.db('feature_flags').update({ enabled: true })
    expect(await flags(new Visitor(product))).toEqual(['kyc'])
  })
})

describe('conditional requests', () => {
  const poll = (route: 'GET /api/mining/status' | 'GET /api/wallet', etag: string) =>
    member.fetch(route.slice(4), 0, { headers: { 'If-None-Match': etag } })

  it.each(['GET /api/mining/status', 'GET /api/wallet'] as const)(
    '%s is answered 304 while unchanged and 200 after a change',
    async (route) => {
      const etag = (await member.fetch(route.slice(4))).headers.get('ETag') ?? ''
      const same = await poll(route, etag)
      expect([same.status, await same.text()]).toEqual([304, ''])
      await member.call('POST /api/mining/start')
      await advance(product.db, HOUR_MS)
      await member.call('POST /api/mining/stop')
      const changed = await poll(route, etag)
      expect(changed.status).toBe(200)
      expect(changed.headers.get('ETag')).not.toBe(etag)
    },
  )
})
