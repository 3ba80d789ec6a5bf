import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advance, freeze } from '#db/testing/clock'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, Visitor } from '#gateway/testing/visitor'
import { HOUR_MS } from '#rules/constants'

let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct({ env: { TASK_TELEGRAM_URL: 'https://t.me/tesp' } })
  await freeze(product.db)
  member = await newMember(product)
})
afterAll(async () => {
  await expectCleanAudit(product)
  await product.close()
})

describe('GET /api/network', () => {
  it('asks a visitor to sign in', async () => {
    expect((await new Visitor(product).call('GET /api/network')).status).toBe(401)
  })

  it('tells the real figures of the network as they change', async () => {
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

  it('shows an AI whose shares are whole and stay within bounds', async () => {
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
  it('tells visitors too what is on, and where the tasks lead', async () => {
    const { status, body } = await new Visitor(product).call('GET /api/app')
    expect(status).toBe(200)
    expect(body).toEqual({
      flags: [],
      minimumVersion: null,
      taskLinks: { follow_twitter: 'https://twitter.com/', join_telegram: 'https://t.me/tesp' },
    })
  })

  it('turns a flag on for one member, and for all', async () => {
    const flags = async (who: Visitor) => (await who.call('GET /api/app')).body.flags
    await product.db('feature_flags').update({ enabledForUsers: [member.user?.id] })
    expect(await flags(member)).toEqual(['kyc'])
    expect(await flags(new Visitor(product))).toEqual([])
    await product.db('feature_flags').update({ enabled: true })
    expect(await flags(new Visitor(product))).toEqual(['kyc'])
  })
})

describe('a poll', () => {
  const poll = (route: 'GET /api/mining/status' | 'GET /api/wallet', tag: string) =>
    member.fetch(route.slice(4), 0, { headers: { 'If-None-Match': tag } })

  it.each(['GET /api/mining/status', 'GET /api/wallet'] as const)(
    'of %s is answered 304 while nothing changed, and in full when it did',
    async (route) => {
      const tag = (await member.fetch(route.slice(4))).headers.get('ETag') ?? ''
      const same = await poll(route, tag)
      expect([same.status, await same.text()]).toEqual([304, ''])
      await member.call('POST /api/mining/start')
      await advance(product.db, HOUR_MS)
      await member.call('POST /api/mining/stop')
      const changed = await poll(route, tag)
      expect(changed.status).toBe(200)
      expect(changed.headers.get('ETag')).not.toBe(tag)
    },
  )

  it('is answered in full after a sign-out: the tag opens nothing', async () => {
    const device = await member.otherDevice()
    const tag = (await device.fetch('/api/wallet')).headers.get('ETag') ?? ''
    await device.call('POST /api/logout')
    const answer = await device.fetch('/api/wallet', 0, { headers: { 'If-None-Match': tag } })
    expect(answer.status).toBe(401)
  })
})
