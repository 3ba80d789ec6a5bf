import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePartitions } from '#db/ledger/partitions'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { endSessions } from '#db/mining/end-sessions'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { rerateSession } from '#db/mining/sessions'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { correctBalance } from '#operators/ops/testing/correct-balance'
import { DAY_MS, EARNINGS_DAYS, HOUR_MS, MINUTE_MS } from '#rules/constants'
import { sum, toUnits } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import { advance, freeze } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { creditRanges, recordSwept } from '#scripts/testing/db/history'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { readEarnings } from './earnings.ts'
import { writeStatement } from './statement.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
})
afterAll(() => fresh.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fresh.db, work)

/** Product time passes, and the workers credit what falls due. */
async function pass(ms: number): Promise<void> {
  await advance(fresh.db, ms)
  await ensurePartitions(fresh.db)
  await creditRanges(fresh.db)
  await endSessions(fresh.db)
  await recordSwept(fresh.db)
}

/** What a member, the team and operators do; refusals are part of a history. */
const ACTIONS = {
  start: (tx: Tx, member: number) => startMining(tx, member),
  stop: (tx: Tx, member: number) => stopMining(tx, member),
  claim: (tx: Tx, member: number) => claimRewards(tx, member),
  task: (tx: Tx, member: number) => completeTask(tx, member, 'join_telegram'),
  add: (tx: Tx, member: number) => correct(tx, member, 'TESP', '0.12345678'),
  takeBack: (tx: Tx, member: number) => correct(tx, member, 'TESP', '-0.03'),
  addUsdt: (tx: Tx, member: number) => correct(tx, member, 'USDT', '1.00000001'),
  join: async (tx: Tx, member: number) => {
    const { rows } = await tx.raw(
      `update users set "miningBoost" = "miningBoost" + 0.05 where id = ? returning id, "miningBoost"`,
      [member],
    )
    await rerateSession(tx, { ...rows[0], teamLevel: 2 }, await productNow(tx))
  },
}

const correct = (tx: Tx, member: number, token: 'TESP' | 'USDT', amount: string) =>
  correctBalance(tx, { member: `id:${member}`, token, amount, reason: 'test' })

const ALL = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]
/** Most of the time a member mines. */
const action = fc.oneof(
  { weight: 6, arbitrary: fc.constant('start' as const) },
  { weight: 10, arbitrary: fc.constantFrom(...ALL) },
)

const MEMBERS = 10
/** What each member does, and the minutes that pass after it. */
const step = fc.record({
  actions: fc.array(action, { minLength: MEMBERS, maxLength: MEMBERS }),
  minutes: fc.integer({ min: 1, max: 1_900 }),
})

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The sums of a member's statement by UTC day and token, of the days of the earnings. */
async function statementDays(member: number): Promise<Map<string, string>> {
  const today = await productNow(fresh.db)
  const from = dayOf(today - (EARNINGS_DAYS - 1) * DAY_MS)
  const file = await writeStatement(fresh.db, member, { from, to: dayOf(today) })
  const lines = Buffer.concat(file).toString().trim().split('\r\n').slice(1)
  const days = new Map<string, string>()
  for (const line of lines) {
    const [time = '', , , , amount = '', token = ''] = line.split(',')
    const key = `${time.slice(0, 10)} ${token}`
    days.set(key, sum(days.get(key) ?? '0', amount))
  }
  return days
}

const earningsOf = async (member: number, days = EARNINGS_DAYS) =>
  (await readEarnings(fresh.db, member, days)).days

/** Expects that each day is the sum of the statement's lines of that day. */
async function expectStatement(member: number): Promise<void> {
  const [days, stated] = [await earningsOf(member), await statementDays(member)]
  for (const { day, mining, team, rewards, other, usdt } of days) {
    expect([day, sum(mining, team, rewards, other), usdt]).toEqual([
      day,
      stated.get(`${day} TESP`) ?? sum(),
      stated.get(`${day} USDT`) ?? sum(),
    ])
    expect(toUnits(team)).toBeGreaterThanOrEqual(0n)
  }
  const total = (token: string) =>
    sum(...[...stated].flatMap(([key, amount]) => (key.endsWith(token) ? [amount] : [])))
  expect(sum(...days.flatMap((d) => [d.mining, d.team, d.rewards, d.other]))).toBe(total('TESP'))
  expect(sum(...days.map(({ usdt }) => usdt))).toBe(total('USDT'))
}

async function expectSameAfterRollUp(members: number[]): Promise<number> {
  const before = await Promise.all(members.map((member) => earningsOf(member)))
  for (const member of members) await expectStatement(member)
  const rolled = await rollUpLedger(fresh.db, 7)
  expect(await Promise.all(members.map((member) => earningsOf(member)))).toEqual(before)
  for (const member of members) await expectStatement(member)
  return rolled
}

it('earnings are the sums of the statement for any history, on both sides of a roll-up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 14, maxLength: 14 }), async (steps) => {
      const members = await insertMembers(fresh.db, MEMBERS)
      for (const { actions, minutes } of steps) {
        for (const [nth, member] of members.entries()) {
          await run<unknown>((tx) => ACTIONS[actions[nth] ?? 'start'](tx, member)).catch(
            (error) => {
              if (!(error instanceof RuleError)) throw error
            },
          )
        }
        await pass(minutes * MINUTE_MS)
      }
      // First the seam lies within the history, then behind it.
      const rolled = await expectSameAfterRollUp(members)
      await pass(8 * DAY_MS)
      expect(rolled + (await expectSameAfterRollUp(members))).toBeGreaterThan(0)
    }),
    { numRuns: 2, endOnFailure: true },
  )
})

describe('the sources', () => {
  let member: number
  let noon: number

  beforeAll(async () => {
    member = await insertMember(fresh.db)
    const now = await productNow(fresh.db)
    noon = Math.floor(now / DAY_MS) * DAY_MS + 1.5 * DAY_MS
    await pass(noon - now)
  })

  it('a credit is mining at the base rate, and the rest of it is the team', async () => {
    await fresh.db('users').where({ id: member }).update({ miningBoost: '0.1' })
    await run((tx) => startMining(tx, member))
    await pass(HOUR_MS)
    const [today] = await earningsOf(member, 1)
    expect(today).toMatchObject({
      day: dayOf(noon),
      mining: '0.10000000',
      team: '0.01000000',
      rewards: '0.00000000',
      other: '0.00000000',
    })
  })

  it('claims are mining, tasks are rewards, corrections stand apart, and so does USDT', async () => {
    await pass(10 * MINUTE_MS)
    await run((tx) => stopMining(tx, member))
    await run((tx) => claimRewards(tx, member))
    await run((tx) => completeTask(tx, member, 'join_telegram'))
    await run((tx) => correct(tx, member, 'TESP', '-0.5'))
    await run((tx) => correct(tx, member, 'USDT', '2'))
    const [today] = await earningsOf(member, 1)
    expect(today).toMatchObject({
      // The half interval that was claimed, with what the team added to it.
      mining: '0.11833333',
      team: '0.01000000',
      rewards: '1.00000000',
      other: '-0.50000000',
      usdt: '2.00000000',
    })
  })

  it('days without rows are zero, and the last day is today', async () => {
    await pass(2 * DAY_MS)
    const days = await earningsOf(member, 4)
    expect(days.map(({ day }) => day)).toEqual(
      [-1, 0, 1, 2].map((ahead) => dayOf(noon + ahead * DAY_MS)),
    )
    const nothing = [sum(), sum(), sum(), sum(), sum()]
    for (const one of [days[0], days[2], days[3]]) {
      const { day: _, ...shares } = one ?? { day: '' }
      expect(Object.values(shares)).toEqual(nothing)
    }
  })
})

it.runIf(isOneServer())(
  'the rows are read by the index of the member, and partitions outside of the period are pruned',
  async () => {
    const { rows: settings } = await fresh.db.raw(
      `select proconfig, prosrc from pg_proc where proname = 'ledger_rows'`,
    )
    expect(settings[0].proconfig).toEqual(['plan_cache_mode=force_generic_plan'])
    // The statement of the function with its arguments as parameters, as plpgsql prepares it.
    const statement = /return query (select[^;]+);/.exec(settings[0].prosrc)?.[1] ?? ''
    const places = { of_bucket: 1, of_member: 2, since: 3, until: 4 }
    const text = Object.entries(places).reduce(
      (sql, [name, place]) => sql.replace(name, `$${place}`),
      statement,
    )
    const partitions = Number(
      (
        await fresh.db.raw(
          `select count(*) from pg_inherits where inhparent = 'wallet_activity'::regclass`,
        )
      ).rows[0].count,
    )
    const today = Math.floor((await productNow(fresh.db)) / DAY_MS) * DAY_MS
    const plan = await fresh.db.transaction(async (tx) => {
      await tx.raw('set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off')
      await tx.raw(
        `prepare earned (smallint, integer, timestamptz, timestamptz) as ${text.replaceAll('?', '\\?')}`,
      )
      const [from, to] = [today - 6 * DAY_MS, today + DAY_MS].map((at) =>
        new Date(at).toISOString(),
      )
      const { rows } = await tx.raw(`explain execute earned (1, 1, '${from}', '${to}')`)
      await tx.raw('deallocate earned')
      return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
    })
    const scans = plan.match(/ on wallet_activity_\w+ /g) ?? []
    expect(scans).toHaveLength(7)
    expect(plan).toContain(`Subplans Removed: ${partitions - 7}`)
    expect(plan).not.toContain('Seq Scan')
    expect(plan.match(/Index Cond: \(\(bucket = \$1\) AND \("userId" = \$2\)/g)).toHaveLength(7)
  },
)
