import { describe, expect, it } from 'vitest'
import { growTeam } from '#scripts/testing/gateway/grow-team'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

/** Nobody mines, and nobody can be reminded. */
const NOBODY = { total: 0, memberIds: [], wakeable: [], reminded: [] }
const APPLY = 'POST /api/referral/apply-code'
const INFO = 'GET /api/referral/info'
const product = useProduct({ gateways: 2, frozen: true, audited: true })
const member = useMember(product)

const apply = (who: Visitor, referralCode: string, gateway = 0) =>
  who.call(APPLY, { body: { referralCode }, gateway })
const row = (who: Visitor) => product.db('users').where({ id: who.user?.id }).first()

describe('POST /api/referral/generate-code', () => {
  it('ten parallel requests make one referral code', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => member.referralCode()))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^TESP[A-HJ-NP-Z2-9]{6}$/)
    expect((await member.call('GET /api/user')).body.referralCode).toBe(answers[0])
  })

  it('the pages of other devices read the account, which shows the code', async () => {
    const socket = await member.connected(1)
    const pushed = new Promise((resolve) =>
      socket.on('changed', ({ team, account }) => team && resolve(account)),
    )
    await member.referralCode()
    expect(await pushed).toBe(true)
  })
})

it('the ETag of the team changes with the address of one of its members', async () => {
  await growTeam(member, 1)
  const read = async () => {
    const { headers, body } = await member.call(INFO)
    return { etag: headers.get('ETag'), emails: body.teamMembers.map(({ email }) => email) }
  }
  const first = await read()
  expect(await read()).toEqual(first)
  const email = 'another@test.example'
  const authEpoch = product.db.raw('"authEpoch" + 1')
  await product
    .db('users')
    .where({ referredBy: member.user?.id })
    .update({ email, emailKey: email, authEpoch })
  const { etag, emails } = await read()
  expect(emails).toEqual([email])
  expect(etag).not.toBe(first.etag)
})

describe(APPLY, () => {
  it('the owner of an applied code becomes the referrer and mines 5 % more', async () => {
    const owner = await newMember(product)
    await owner.call('POST /api/mining/start')
    const code = await owner.referralCode()
    expect(await apply(member, code.toLowerCase().replace('tesp', 'TESP-'))).toMatchObject({
      status: 200,
      body: { success: true, message: 'Referral code applied successfully' },
    })
    expect((await member.call(INFO)).body.referrer).toEqual({ username: owner.user?.username })
    const { body } = await owner.call(INFO)
    expect(body).toMatchObject({ teamSize: 1, miningBoost: 0.05, referrer: null })
    expect(body.teamMembers).toMatchObject([{ id: member.user?.id, email: member.user?.email }])
    const status = (await owner.call('GET /api/mining/status')).body
    expect(status.session?.hashRate).toBe('0.10500000')
  })

  const rejected = (message: string) => ({ status: 200, body: { success: false, message } })

  it('unknown, own, frozen and second codes are rejected', async () => {
    const [owner, frozen] = [await newMember(product), await newMember(product)]
    const [code, frozenCode] = [await owner.referralCode(), await frozen.referralCode()]
    await product
      .db('users')
      .where({ id: frozen.user?.id })
      .update({ referralFrozenReason: 'bought members' })
    expect(await apply(member, 'TESPZZZZZZ')).toMatchObject(
      rejected('Referral code does not exist'),
    )
    expect(await apply(member, await member.referralCode())).toMatchObject(
      rejected('You cannot use your own referral code'),
    )
    expect(await apply(member, frozenCode)).toMatchObject(
      rejected('This referral code does not take new members'),
    )
    expect((await apply(member, code)).body.success).toBe(true)
    expect(await apply(member, code)).toMatchObject(
      rejected('You have already applied a referral code'),
    )
    expect((await frozen.call(INFO)).body).toMatchObject({ frozenReason: 'bought members' })
  })

  it('the code of a member of the own team is rejected at any depth', async () => {
    const [child, grandchild] = [await newMember(product), await newMember(product)]
    await apply(child, await member.referralCode())
    await apply(grandchild, await child.referralCode())
    expect(await apply(member, await grandchild.referralCode())).toMatchObject(
      rejected('You cannot use the code of a member of your own team'),
    )
  })

  it('an empty code is rejected', async () => {
    expect(await apply(member, '')).toMatchObject({
      status: 400,
      body: { message: 'Please enter a referral code' },
    })
  })

  it('parallel applications of two codes apply one', async () => {
    const owners = [await newMember(product), await newMember(product)]
    const codes = [
      await (owners[0] ?? member).referralCode(),
      await (owners[1] ?? member).referralCode(),
    ]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => apply(member, codes[i % 2] ?? '', i % 2)),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    const sizes = await Promise.all(owners.map(async (owner) => (await row(owner)).teamSize))
    expect(sizes.sort()).toEqual([0, 1])
  })

  it('three members who apply each other’s codes in parallel form no ring', async () => {
    const ring = [member, await newMember(product), await newMember(product)]
    const codes = await Promise.all(ring.map((who) => who.referralCode()))
    const answers = await Promise.all(
      ring.map((who, i) => apply(who, codes[(i + 1) % 3] ?? '', i % 2)),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(2)
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  })
})

it('GET /api/referral/mining names only the direct members who are mining', async () => {
  const [miner, idle, stranger] = [
    await newMember(product),
    await newMember(product),
    await newMember(product),
  ]
  const code = await member.referralCode()
  for (const who of [miner, idle]) await apply(who, code)
  for (const who of [member, miner, stranger]) await who.call('POST /api/mining/start')
  const mining = async () => (await member.call('GET /api/referral/mining')).body
  expect(await mining()).toEqual({ ...NOBODY, total: 1, memberIds: [miner.user?.id] })
  await miner.call('POST /api/mining/stop')
  expect(await mining()).toEqual(NOBODY)
})

it('a deleted member is not among those who are mining', async () => {
  const miner = await newMember(product)
  await apply(miner, await member.referralCode())
  await miner.call('POST /api/mining/start')
  const body = { password: PASSWORD, confirmation: miner.user?.username }
  expect((await miner.call('POST /api/user/delete', { body })).status).toBe(200)
  expect((await member.call('GET /api/referral/mining')).body.total).toBe(0)
})

it('GET /api/referral/members lists the team page by page, each member once', async () => {
  await growTeam(member, 103)
  const first = (await member.call(INFO)).body.teamMembers
  expect(first).toHaveLength(100)
  const before = String(first.at(-1)?.id)
  const rest = (await member.call('GET /api/referral/members', { query: { before } })).body
  expect(rest).toHaveLength(3)
  expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(103)
  const wrong = await member.call('GET /api/referral/members', { query: { before: 'x' } })
  expect(wrong.status).toBe(400)
})
