import { describe, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct()

describe('GET /api/user', () => {
  it('the signed-in member is returned without secret fields', async () => {
    const alice = new Visitor(product)
    await alice.register({ username: 'Alice', email: 'Alice@Test.example' })
    const { status, body } = await alice.call('GET /api/user')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      username: 'Alice',
      email: 'Alice@Test.example',
      phone: null,
      fullName: null,
      avatar: null,
      referralCode: null,
      kycStatus: 'unverified',
      kycDocumentType: null,
      kycDocumentUrl: null,
      language: 'en',
    })
  })
})

describe('POST /api/register', () => {
  const register = (visitor: Visitor, body: object) => visitor.call('POST /api/register', { body })

  it('a new member is signed in and has an empty wallet', async () => {
    const bob = await newMember(product)
    expect((await bob.call('GET /api/user')).body).toEqual(bob.user)
    const { body } = await bob.call('GET /api/wallet')
    expect(body).toMatchObject({
      tesp: [{ id: expect.any(Number), name: 'Main Wallet', balance: '0.00000000' }],
      usdtBalance: '0.00000000',
    })
  })

  it('an e-mail that another browser verified is rejected', async () => {
    const other = new Visitor(product)
    await other.verify('thief@test.example')
    const body = { username: 'thief', email: 'thief@test.example', password: PASSWORD }
    expect(await register(new Visitor(product), body)).toMatchObject({
      status: 400,
      body: {
        message: 'Please verify your email before registering',
        code: 'email_not_verified',
      },
    })
  })

  it('a user name taken in another case is rejected, and another name can follow', async () => {
    await new Visitor(product).register({ username: 'Claire' })
    const visitor = new Visitor(product)
    await visitor.verify('claire2@test.example')
    const body = { username: 'ＣLAIRE', email: 'claire2@test.example', password: PASSWORD }
    expect(await register(visitor, body)).toMatchObject({
      status: 409,
      body: { message: 'Username is already taken', code: 'username_taken' },
    })
    expect((await register(visitor, { ...body, username: 'claire2' })).status).toBe(200)
  })

  it('an e-mail taken in another case is rejected', async () => {
    const visitor = new Visitor(product)
    await visitor.verify('DAN@test.example')
    await product.db.raw(`update email_codes set "createdAt" = "createdAt" - interval '2 minutes'`)
    await new Visitor(product).register({ email: 'dan@test.example' })
    const body = { username: 'dan2', email: 'DAN@test.example', password: PASSWORD }
    expect(await register(visitor, body)).toMatchObject({
      status: 409,
      body: { message: 'Email is already in use', code: 'email_taken' },
    })
  })

  it('a verified e-mail registers one member only', async () => {
    const visitor = new Visitor(product)
    await visitor.verify('once@test.example')
    const body = { username: 'once1', email: 'once@test.example', password: PASSWORD }
    expect((await register(visitor, body)).status).toBe(200)
    const again = await register(visitor, { ...body, username: 'once2' })
    expect(again).toMatchObject({ status: 400, body: { code: 'email_not_verified' } })
  })

  it('every invalid field is reported with its message', async () => {
    const body = { username: 'ab', email: 'nobody', password: 'short', referralCode: 7 }
    expect(await register(new Visitor(product), body)).toMatchObject({
      status: 400,
      body: {
        message: 'Username must be at least 3 characters',
        code: 'bad_input',
        fields: {
          username: 'Username must be at least 3 characters',
          email: 'Invalid email address',
          password: 'Password must be at least 8 characters',
          referralCode: expect.any(String),
        },
      },
    })
  })

  it.each([
    [{ username: 'me@home' }, 'Use 3 to 30 letters, digits, dots, underscores or hyphens'],
    [{ password: 'x'.repeat(129) }, 'Password must be at most 128 characters'],
    [{ password: 12345678 }, expect.stringMatching(/password/)],
  ])('a registration with %j is rejected', async (invalid, message) => {
    const body = { username: 'valid', email: 'valid@test.example', password: PASSWORD, ...invalid }
    expect(await register(new Visitor(product), body)).toMatchObject({
      status: 400,
      body: { message },
    })
  })

  it('a rejected referral code registers no member and leaves the e-mail verified', async () => {
    const visitor = new Visitor(product)
    await visitor.verify('eve@test.example')
    const body = { username: 'eve', email: 'eve@test.example', password: PASSWORD }
    expect(await register(visitor, { ...body, referralCode: 'TESPZZZZZZ' })).toMatchObject({
      status: 400,
      body: { message: 'Referral code does not exist', code: 'referral_unknown' },
    })
    expect((await register(visitor, { ...body, referralCode: '  ' })).status).toBe(200)
  })

  it('unknown fields of a registration are ignored', async () => {
    const visitor = new Visitor(product)
    await visitor.verify('mallory@test.example')
    const body = { username: 'mallory', email: 'mallory@test.example', password: PASSWORD }
    const extra = { id: 1, kycStatus: 'verified', teamSize: 1000, authEpoch: 9 }
    const answer = await register(visitor, { ...body, ...extra })
    expect(answer).toMatchObject({ status: 200, body: { kycStatus: 'unverified' } })
    const row = await product.db('users').where({ username: 'mallory' }).first()
    expect(row).toMatchObject({ teamSize: 0, authEpoch: 0 })
    expect(row.password).toMatch(/^\$argon2id\$/)
  })
})
