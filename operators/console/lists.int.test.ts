import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestDocuments, waitingDocuments } from '#db/members/kyc'
import type { Db } from '#db/postgres/statements/transaction'
import { lookAtTeam, suspiciousTeams } from '#db/team/suspicious-teams'
import { listActions } from '#operators/actions/action-log'
import { listProposals } from '#operators/actions/corrections'
import { ledgerPage, mailsOf, teamOf } from '#operators/actions/member-records'
import { findMembers, memberFacts, sessionsOf } from '#operators/actions/members'
import { notesOf } from '#operators/actions/notes'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'

let fresh: FreshDatabase
let memberId = 0

beforeAll(async () => {
  fresh = await freshDatabase()
  ;[memberId = 0] = await insertMembers(fresh.db, 3)
})
afterAll(() => fresh.close())

type Query = { sql: string; bindings: readonly unknown[] }

/** The statements that `work` sends. */
async function statements(db: Db, work: () => Promise<unknown>): Promise<Query[]> {
  const sent: Query[] = []
  const note = ({ sql, bindings }: Query) => void sent.push({ sql, bindings })
  db.on('query', note)
  await work()
  db.removeListener('query', note)
  return sent
}

const LISTS: Record<string, (db: Db) => Promise<unknown>> = {
  'members by name, address, id or code': (db) => findMembers(db, 'zoe'),
  'the facts of a member': (db) => memberFacts(db, memberId),
  'ledger rows behind a cursor': (db) => ledgerPage(db, memberId, '1700000000000000.5'),
  'sessions of a member': (db) => sessionsOf(db, memberId, 10),
  'the team of a member': (db) => teamOf(db, memberId, 10),
  'mails to a member': (db) => mailsOf(db, 'zoe@test.example', 10),
  'documents of a member': (db) => newestDocuments(db, 10, { 'd.userId': memberId }),
  'documents that wait': (db) => waitingDocuments(db, { after: 0, limit: 50 }),
  'notes about a member': (db) => notesOf(db, memberId, 10),
  'corrections that wait': (db) => listProposals(db),
  'suspicious teams behind a cursor': (db) => suspiciousTeams(db, '60.5'),
  'a team as it is now': (db) => lookAtTeam(db, memberId),
  'the log': (db) => listActions(db, 50, { before: 100 }),
  'the log of a member': (db) => listActions(db, 50, { memberId, before: 100 }),
  'the log of an operator': (db) => listActions(db, 50, { operator: 'ada', before: 100 }),
  'the log of an operator’s action': (db) =>
    listActions(db, 50, { operator: 'ada', action: 'members freeze', before: 100 }),
  'the log of an action': (db) => listActions(db, 50, { action: 'members freeze', before: 100 }),
}

it.runIf(isOneServer()).each(Object.entries(LISTS))(
  'the list %s reads its rows by an index, in its order',
  async (_, list) => {
    const { db } = fresh
    for (const { sql, bindings } of await statements(db, () => list(db))) {
      // Tables are empty here: without these settings reading all of a table is cheapest.
      const plan = await db.transaction(async (tx) => {
        await tx.raw('set local enable_seqscan = off; set local enable_bitmapscan = off')
        const { rows } = await tx.raw(`explain (costs off) ${sql}`.replaceAll(/\$\d+/g, '?'), [
          ...bindings,
        ] as string[])
        return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
      })
      expect(plan).toContain('Index')
      expect(plan).not.toContain('Seq Scan')
    }
  },
)

type PlanNode = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}
/** Members that the scans of a plan returned. */
const membersRead = (node: PlanNode): number =>
  (node['Relation Name'] === 'users' ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, each) => sum + membersRead(each), 0)

it.runIf(isOneServer())('a large team is judged by its newest members only', async () => {
  const { db } = fresh
  const [owner = 0, ...members] = await insertMembers(db, 1_501)
  await db('users').whereIn('id', members).update({ referredBy: owner })
  await db('referral_rewards').insert(
    members.map((referredUserId) => ({ userId: owner, referredUserId, rewardPercentage: 5 })),
  )
  await db.raw('analyze')
  const [query] = await statements(db, () => lookAtTeam(db, owner))
  const { rows } = await db.raw(
    `explain (analyze, format json) ${query?.sql}`.replaceAll(/\$\d+/g, '?'),
    [...(query?.bindings ?? [])] as string[],
  )
  expect(membersRead(rows[0]['QUERY PLAN'][0].Plan)).toBe(200)
})
