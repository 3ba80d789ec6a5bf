import { beforeEach, describe, expect, it } from 'vitest'
import { PASSKEYS_MAX } from '#rules/constants'
import {
  addPasskey,
  originOf,
  signInWithPasskey,
} from '#scripts/testing/gateway/factors/passkey-visitor'
import {
  type Ceremony,
  SoftwareAuthenticator,
} from '#scripts/testing/gateway/factors/software-authenticator'
import { subjectsTo } from '#scripts/testing/gateway/mails-to'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2 })
const member = useMember(product)
let key: SoftwareAuthenticator
beforeEach(() => {
  key = new SoftwareAuthenticator()
})

const refused = { status: 400, body: { code: 'passkey_refused' } }
const proof = { password: PASSWORD }
const subjects = () => subjectsTo(product, member.user?.email)
const creation = async () =>
  (await member.call('POST /api/user/passkeys/options', { body: proof })).body.options

describe('adding a passkey', () => {
  it('a passkey is added with the password, is listed with its name and is announced by mail', async () => {
    const { status, body } = await addPasskey(member, key, ' My phone ')
    expect(status).toBe(200)
    expect(body.passkeys).toEqual([
      {
        id: expect.any(Number),
        name: 'My phone',
        addedAt: expect.any(String),
        lastUsedAt: null,
        backedUp: false,
      },
    ])
    expect((await member.call('GET /api/user/factors')).body).toEqual(body)
    expect(await subjects()).toContain('TESP Network: a passkey was added')
  })

  it('a wrong password gets no challenge', async () => {
    const body = { password: 'a wrong password' }
    expect(await member.call('POST /api/user/passkeys/options', { body })).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
  })

  it('a challenge adds one passkey, in the sign-in that asked for it', async () => {
    const options = await creation()
    const ceremony = { origin: originOf(member) }
    const phone = await member.otherDevice(1)
    const elsewhere = key.create(options, 'Phone', { origin: originOf(phone) })
    expect(await phone.call('POST /api/user/passkeys', { body: elsewhere })).toMatchObject(refused)
    const body = key.create(await creation(), 'Phone', ceremony)
    expect((await member.call('POST /api/user/passkeys', { body })).status).toBe(200)
    expect(await member.call('POST /api/user/passkeys', { body })).toMatchObject(refused)
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a challenge that the gateway did not issue', { challenge: 'AAAA' }],
    ['an authenticator that verified no user', { isVerified: false }],
  ])('a credential with %s is refused', async (_, ceremony) => {
    const body = key.create(await creation(), 'Phone', { origin: originOf(member), ...ceremony })
    expect(await member.call('POST /api/user/passkeys', { body })).toMatchObject(refused)
  })

  // The library makes a buffer of as many bytes as a number says, when the passkey signs.
  it.each<[string, Ceremony['keyParts']]>([
    ['a number as x', [[-2, 100_000_000]]],
    ['a text as y', [[-3, 'text']]],
    ['an x that is too long', [[-2, Buffer.alloc(33)]]],
    [
      'an RSA modulus that is a number',
      [
        [1, 3],
        [3, -257],
        [-1, 100_000_000],
        [-2, 1],
      ],
    ],
    ['a type that the library does not know', [[1, 9]]],
  ])('a public key with %s is refused', async (_, keyParts) => {
    const body = key.create(await creation(), 'Phone', { origin: originOf(member), keyParts })
    expect(await member.call('POST /api/user/passkeys', { body })).toMatchObject(refused)
  })

  it('a signed id that is another one than that of the body is refused', async () => {
    const body = key.create(await creation(), 'Phone', { origin: originOf(member) })
    const other = { ...body, id: `${body.id.slice(0, -2)}AA` }
    expect(await member.call('POST /api/user/passkeys', { body: other })).toMatchObject(refused)
  })

  // Certificates of a statement name addresses that the library would fetch.
  it('what the maker says of an authenticator is not read', async () => {
    const statement = {
      format: 'android-key',
      values: new Map([['x5c', Buffer.from('no certificate')]]),
    }
    const ceremony = { origin: originOf(member), statement }
    const body = key.create(await creation(), 'Phone', ceremony)
    expect((await member.call('POST /api/user/passkeys', { body })).status).toBe(200)
    expect((await signInWithPasskey(await member.otherDevice(), key)).status).toBe(200)
  })

  it('an attestation that is no map is refused', async () => {
    const body = key.create(await creation(), 'Phone', { origin: originOf(member) })
    for (const attestationObject of ['AA', 'oA', '_w']) {
      const bad = { ...body, attestationObject }
      expect(await member.call('POST /api/user/passkeys', { body: bad })).toMatchObject(refused)
    }
  })

  it('a challenge for a sign-in adds no passkey', async () => {
    const { challenge } = (await member.call('POST /api/passkey/options')).body.options
    const ceremony = { origin: originOf(member), challenge }
    const body = key.create(await creation(), 'Phone', ceremony)
    expect(await member.call('POST /api/user/passkeys', { body })).toMatchObject(refused)
  })

  it('parallel requests add no more passkeys than permitted', async () => {
    const userId = member.user?.id
    const row = { userId, publicKey: Buffer.from([1]), counter: 0, transports: [], backedUp: false }
    const rows = Array.from({ length: PASSKEYS_MAX - 1 }, (_, n) => ({
      ...row,
      name: `key ${n}`,
      credentialId: `${userId}-${n}`,
    }))
    await product.db('passkeys').insert(rows)
    const added = await Promise.all(
      [0, 1, 2].map(() => addPasskey(member, new SoftwareAuthenticator())),
    )
    expect(added.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    // The authenticator would make a passkey first.
    expect(await member.call('POST /api/user/passkeys/options', { body: proof })).toMatchObject({
      status: 409,
      body: { code: 'passkeys_full' },
    })
  })

  it('the options exclude the credentials that the member has', async () => {
    await addPasskey(member, key)
    const { excludeCredentials } = await creation()
    expect(excludeCredentials.map(({ id }) => id)).toEqual([key.credentialId.toString('base64url')])
  })
})

describe('renaming and removing a passkey', () => {
  const idOf = async () => (await addPasskey(member, key)).body.passkeys[0]?.id ?? 0

  it('a passkey is renamed by its owner only', async () => {
    const body = { passkeyId: await idOf(), name: 'Old phone' }
    const stranger = await newMember(product)
    expect(await stranger.call('POST /api/user/passkeys/rename', { body })).toMatchObject({
      status: 404,
    })
    const renamed = await member.call('POST /api/user/passkeys/rename', { body })
    expect(renamed.body.passkeys).toMatchObject([{ name: 'Old phone' }])
  })

  it('a removed passkey signs in no more; removing takes the password and mails the member', async () => {
    const passkeyId = await idOf()
    const remove = (password: string, who: Visitor = member) =>
      who.call('POST /api/user/passkeys/remove', { body: { passkeyId, password } })
    expect(await remove('a wrong password')).toMatchObject({ body: { code: 'wrong_password' } })
    expect((await remove(PASSWORD, await newMember(product))).status).toBe(404)
    expect((await remove(PASSWORD)).body.passkeys).toEqual([])
    expect(await signInWithPasskey(new Visitor(product), key)).toMatchObject(refused)
    expect(await subjects()).toContain('TESP Network: a passkey was removed')
  })

  it('the export names passkeys without their keys', async () => {
    await idOf()
    const { body } = await member.call('POST /api/user/export', { body: proof })
    expect(body.passkeys).toEqual([
      {
        name: 'Phone',
        addedAt: expect.any(String),
        lastUsedAt: null,
        backedUp: false,
        transports: ['internal'],
      },
    ])
  })

  it('a deleted account leaves no passkey', async () => {
    await idOf()
    const body = { password: PASSWORD, confirmation: member.user?.username }
    expect((await member.call('POST /api/user/delete', { body })).status).toBe(200)
    expect(await product.db('passkeys').where({ userId: member.user?.id })).toEqual([])
  })
})
