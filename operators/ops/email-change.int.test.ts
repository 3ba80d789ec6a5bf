import { expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { newestMails } from '#db/mails'
import { refuseAddress } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { operate } from '#operators/ops/testing/operate'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const member = useMember(product)
const id = () => member.user?.id ?? 0
const reason = 'the mailbox is lost; identity checked'

let addresses = 0
const address = () => `New${++addresses}.${id()}@mail.example`
const row = (userId = id()) => product.db('users').where({ id: userId }).first()
const begin = (email: string, memberId = id()) =>
  operate(product, 'members change-email', [`id:${memberId}`, email], { reason })
const confirm = (email: string, old: string, fresh: string, memberId = id()) =>
  operate(product, 'members confirm-email', [`id:${memberId}`, email, old, fresh])
const setEmail = (email: string, memberId = id()) =>
  operate(product, 'members set-email', [`id:${memberId}`, email], { reason })

/** The code in the newest mail to an address. */
async function codeTo(to: string): Promise<string> {
  const mails = await newestMails(product.db, product.config.dataKey)
  const mail = mails.find((each) => each.to === to)
  return /^ {4}(\d{6})$/m.exec(mail?.text ?? '')?.[1] ?? ''
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

it('the address changes once both mailboxes have confirmed, and every sign-in ends', async () => {
  const { email: old, username } = await row()
  const email = address()
  await begin(email)
  const codes = [await codeTo(old), await codeTo(email)] as const
  await expect(confirm(email, codes[0], '-')).rejects.toThrow('the new mailbox has not confirmed')
  expect((await row()).email).toBe(old)
  const device = await member.call('GET /api/user')
  expect(device.status).toBe(200)
  await confirm(email, '-', codes[1])
  expect(await row()).toMatchObject({ email, emailKey: email.toLowerCase() })
  const [notice] = await newestMails(product.db, product.config.dataKey, 1)
  expect((await member.call('GET /api/user')).status).toBe(401)
  const again = new Visitor(product)
  expect((await again.login(email.toUpperCase(), PASSWORD)).status).toBe(200)
  expect((await new Visitor(product).login(old, PASSWORD)).status).toBe(401)
  expect(notice).toMatchObject({
    to: old,
    subject: 'TESP Network: your e-mail address was changed',
  })
  expect(notice?.text).not.toContain(email)
  const logged = await product.db('operator_actions').where({ userId: id() }).orderBy('id')
  expect(logged.map(({ action, details }) => [action, details])).toEqual([
    ['members change-email', {}],
    ['members confirm-email', { confirmed: false }],
    ['members confirm-email', { confirmed: 'mailboxes' }],
  ])
  expect(JSON.stringify(logged)).not.toMatch(new RegExp(`${username}|@`))
  expect((await audit(product.db)).problems).toEqual([])
})

it('five wrong codes use a code up, even the right one afterwards', async () => {
  const { email: old } = await row()
  const email = address()
  await begin(email)
  const [right, other] = [await codeTo(old), await codeTo(email)]
  for (let n = 1; n <= 5; n++) {
    await expect(confirm(email, wrong(right), '-')).rejects.toThrow('The address stays')
  }
  await expect(confirm(email, right, other)).rejects.toThrow('the code of the old mailbox is used')
  expect((await row()).email).toBe(old)
})

it('codes confirm the address that they were sent for, and no other', async () => {
  const { email: old } = await row()
  const [email, wished] = [address(), address()]
  await begin(email)
  const forOther = [await codeTo(old), await codeTo(email)] as const
  await expect(confirm(wished, ...forOther)).rejects.toThrow('has not confirmed')
  const friend = await newMember(product)
  const theirs = friend.user?.id ?? 0
  await expect(confirm(email, ...forOther, theirs)).rejects.toThrow('has not confirmed')
  expect((await row()).email).toBe(old)
})

it('an owner sets the address of a lost mailbox; its codes and waiting proofs are void', async () => {
  const { email: old } = await row()
  const visitor = new Visitor(product)
  await visitor.call('POST /api/password/forgot', { body: { email: old } })
  const email = address()
  await setEmail(email)
  expect(await row()).toMatchObject({ email })
  expect(await product.db('email_codes').where({ emailKey: old.toLowerCase() })).toEqual([])
  expect((await member.call('GET /api/user')).status).toBe(401)
})

it('the old address is forgotten as one that refuses mails', async () => {
  const { email, emailKey } = await row()
  await inTransaction(product.db, (tx) =>
    refuseAddress(tx, { email, reason: '550 no such user', fact: 1 }),
  )
  await setEmail(address())
  expect(await product.db('refused_addresses').where({ recipientKey: emailKey })).toEqual([])
})

it('an address that is taken in another case, unchanged or none at all is refused', async () => {
  const friend = await newMember(product)
  const { email: theirs } = await row(friend.user?.id)
  const { email: own } = await row()
  await expect(setEmail(theirs.toUpperCase())).rejects.toMatchObject({ code: 'email_taken' })
  await expect(begin(theirs)).rejects.toMatchObject({ code: 'email_taken' })
  await expect(setEmail(own.toUpperCase())).rejects.toThrow('has this e-mail address already')
  await expect(setEmail('nobody')).rejects.toMatchObject({ code: 'bad_input' })
})

it('of two members who get one address together, one does', async () => {
  const friend = await newMember(product)
  const email = address()
  const ids = [id(), friend.user?.id ?? 0]
  const results = await Promise.allSettled(ids.map((memberId) => setEmail(email, memberId)))
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const holders = await product.db('users').where({ emailKey: email.toLowerCase() })
  expect(holders).toHaveLength(1)
  const lost = results.find((result) => result.status === 'rejected')
  expect(lost?.reason).toMatchObject({ code: 'email_taken' })
})

it('export and deletion find the mails of the old address too', async () => {
  const { email: old, username } = await row()
  const wished = address()
  await begin(wished)
  const email = address()
  await setEmail(email)
  const again = new Visitor(product)
  await again.login(email, PASSWORD)
  const body = { password: PASSWORD }
  const { mails } = (await again.call('POST /api/user/export', { body })).body as {
    mails: { recipient: string; subject: string }[]
  }
  expect(mails).toContainEqual(
    expect.objectContaining({ recipient: old, subject: expect.stringContaining('was changed') }),
  )
  const confirmation = { ...body, confirmation: username }
  expect((await again.call('POST /api/user/delete', { body: confirmation })).status).toBe(200)
  for (const text of [old, wished, email]) {
    expect(await product.db('mails').where({ recipient: text })).toEqual([])
  }
  expect(await product.db('email_codes').whereLike('browserId', `change:${id()}:%`)).toEqual([])
})

it('a deletion finds the mails to the new mailbox of a change that was not finished', async () => {
  const { username } = await row()
  const wished = address()
  await begin(wished)
  expect(await product.db('mails').where({ recipient: wished })).toHaveLength(1)
  const body = { password: PASSWORD, confirmation: username }
  expect((await member.call('POST /api/user/delete', { body })).status).toBe(200)
  expect(await product.db('mails').where({ recipient: wished })).toEqual([])
})

it('an address that was counted in a team is not counted again after it was given up', async () => {
  const friend = await newMember(product)
  const { email: old } = await row(friend.user?.id)
  const referralCode = await member.referralCode()
  const code = { body: { referralCode } }
  await friend.call('POST /api/referral/apply-code', code)
  await setEmail(address(), friend.user?.id)
  const other = await newMember(product)
  await setEmail(old, other.user?.id)
  const again = new Visitor(product)
  await again.login(old, PASSWORD)
  const answer = await again.call('POST /api/referral/apply-code', code)
  expect(answer.body).toMatchObject({ success: false })
  expect((await row()).teamSize).toBe(1)
})
