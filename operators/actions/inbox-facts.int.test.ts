import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { decideAndNotify, submitDocument } from '#db/members/kyc'
import { refuseAddress } from '#db/members/refused-addresses'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { storePreference } from '#db/reminders/mail-reminders'
import { checkMilestones } from '#db/team/milestones'
import { applyReferralCode, generateReferralCode } from '#db/team/referrals'
import { wakeMember } from '#db/team/wake'
import { correctBalance } from '#operators/ops/testing/correct-balance'
import type { InboxKind } from '#rules/inbox'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { freezeMember, unfreezeMember } from './member-changes.ts'

let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
})

const within = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fresh.db, work)
const kinds = (): Promise<InboxKind[]> =>
  fresh.db('inbox').where({ userId: memberId }).orderBy('id').pluck('kind')

/** Joins a member to the team of another one. */
const join = async (owner: number, id: number) =>
  within(async (tx) => applyReferralCode(tx, id, await generateReferralCode(tx, owner)))
async function joined(): Promise<number> {
  const inviter = await insertMember(fresh.db)
  await join(inviter, memberId)
  return inviter
}
async function submitted(): Promise<number> {
  const document = { documentType: 'passport', mime: 'image/png', bytes: Buffer.from('x') } as const
  await within((tx) => submitDocument(tx, fresh.dataKey, memberId, document))
  return (await fresh.db('kyc_documents').where({ userId: memberId }).first('id')).id
}

/** What prepares a fact, and the fact; its kind is the row of the inbox that belongs to it. */
type Fact<Prepared> = {
  prepare(): Promise<Prepared>
  happen(tx: Tx, prepared: Prepared): Promise<unknown>
  /** Rows that the preparation leaves. */
  before?: InboxKind[]
}
const fact = <Prepared>(entry: Fact<Prepared>) => entry as Fact<unknown>

const FACTS: Partial<Record<InboxKind, Fact<unknown>>> = {
  frozen: fact({
    prepare: async () => {},
    happen: (tx) => freezeMember(tx, memberId, 'a check'),
  }),
  released: fact({
    prepare: () => within((tx) => freezeMember(tx, memberId, 'a check')),
    happen: (tx) => unfreezeMember(tx, memberId, 'checked'),
    before: ['frozen'],
  }),
  corrected: fact({
    prepare: async () => ({ token: 'TESP', amount: '1.5', reason: 'a lost reward' }) as const,
    happen: (tx, correction) => correctBalance(tx, { member: `id:${memberId}`, ...correction }),
  }),
  'identity-decided': fact({
    prepare: submitted,
    happen: (tx, id) => {
      const mail = { dataKey: fresh.dataKey, origin: undefined }
      return decideAndNotify(tx, { id, accepted: true }, mail)
    },
  }),
  'team-reminder': fact({
    async prepare() {
      const inviter = await joined()
      await within((tx) => storePreference(tx, memberId, 'en', { team: true }))
      return inviter
    },
    happen: (tx, inviter) => wakeMember(tx, inviter, memberId),
  }),
  'member-joined': fact({
    async prepare() {
      const code = await within((tx) => generateReferralCode(tx, memberId))
      return { code, id: await insertMember(fresh.db) }
    },
    happen: (tx, { code, id }) => applyReferralCode(tx, id, code),
  }),
  'milestone-paid': fact({
    async prepare() {
      for (const id of await insertMembers(fresh.db, 10)) await join(memberId, id)
      await fresh.db('inbox').where({ userId: memberId }).delete()
    },
    happen: (tx) => checkMilestones(tx, memberId),
  }),
  'mail-refused': fact({
    prepare: () => fresh.db('users').where({ id: memberId }).first('email'),
    happen: (tx, { email }) =>
      refuseAddress(tx, { email, reason: 'no such mailbox', fact: memberId }),
  }),
}

it.each(Object.entries(FACTS))(
  '%s: a killed transaction leaves neither fact nor row, and the retry one of each',
  async (kind, { prepare, happen, before = [] }) => {
    const prepared = await prepare()
    const killed = within(async (tx) => {
      await happen(tx, prepared)
      const { rows } = await tx.raw('select pg_backend_pid() as pid')
      await fresh.db.raw('select pg_terminate_backend(?)', [rows[0].pid])
      await tx.raw('select 1')
    })
    await expect(killed).rejects.toThrow()
    expect(await kinds()).toEqual(before)
    // It is refused if the fact has outlived the transaction.
    await within((tx) => happen(tx, prepared))
    expect(await kinds()).toEqual([...before, kind])
    await within((tx) => happen(tx, prepared)).catch(() => {})
    expect((await kinds()).length).toBe(before.length + (kind === 'corrected' ? 2 : 1))
  },
)
