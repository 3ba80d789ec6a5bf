import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { audit } from '#db/ledger/audit'
import { mergePartitions } from '#db/ledger/partition-merges/merge-partitions'
import { ensurePartitions, partitionName } from '#db/ledger/partitions'
import { type RollupStep, rollUpLedger, rollUpStep } from '#db/ledger/retention/rollup-steps'
import { STEP_LOCK } from '#db/ledger/steps'
import { productNow } from '#db/postgres/connection/product-clock'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#rules/constants'
import { signatureFits } from '#rules/seal/verify-receipt'
import { advance } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { lateCredit, recordSwept } from '#scripts/testing/db/history'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import { sealKey, signSeals } from './seal-chain.ts'
import { sealLateRows, sealLedger } from './seal-steps.ts'
import { AGE_MS, useOldDays } from './testing/use-old-days.ts'

const { fresh, seals, problems, broken, aRow } = useOldDays({ sealed: false })

/** Lets the month of the days become due for its merge. */
async function endMonth(): Promise<void> {
  await advance(fresh.db, 60 * DAY_MS)
  await ensurePartitions(fresh.db)
  await recordSwept(fresh.db)
  await sealLedger(fresh.db)
}

/** Rolls up one day after the other; each is sealed again before the next one. */
async function rollUpDaily(): Promise<void> {
  let step: RollupStep | undefined
  do {
    step = await rollUpStep(fresh.db, 7)
    if (step === 'swapped') await sealLedger(fresh.db)
  } while (step)
}

it('each complete day is sealed once, without a gap, in one chain', async () => {
  const sealed = await sealLedger(fresh.db)
  const chain = await seals()
  expect(chain).toHaveLength(sealed)
  // Three days of sessions, the days without rows behind them, and not the present one.
  expect(sealed).toBeGreaterThan(9)
  for (const [i, seal] of chain.entries()) {
    expect(seal).toMatchObject({ number: i + 1, reason: 'day' })
    expect(seal.previous).toBe(chain[i - 1]?.hash ?? '0'.repeat(64))
    const next = chain[i + 1]
    if (next) expect(Date.parse(next.day) - Date.parse(seal.day)).toBe(DAY_MS)
  }
  const rows = await fresh.db('wallet_activity').pluck('seq')
  expect(chain.reduce((sum, seal) => sum + seal.rows, 0)).toBe(rows.length)
  expect(await problems()).toEqual([])
  expect(await sealLedger(fresh.db)).toBe(0)
})

it('a day waits until its intervals are credited and until older transactions have ended', async () => {
  await fresh.db('credit_sweeps').update({ sweptTo: new Date(fresh.noon) })
  const before = await sealLedger(fresh.db)
  await recordSwept(fresh.db)
  const older = await fresh.db.transaction()
  await older.raw('select 1')
  // The step that finds the day due comes after the transaction began.
  expect(await sealLedger(fresh.db)).toBe(0)
  await older.rollback()
  expect(await sealLedger(fresh.db)).toBeGreaterThan(before)
})

// Nodes of Citus would need the role and its sign-in too.
it.runIf(isOneServer())(
  'a day waits for a transaction whose role has more rights than its own',
  async () => {
    const role = `r${randomBytes(4).toString('hex')}`
    await fresh.db.raw(`create role ${role}; grant all on all tables in schema public to ${role}`)
    const url = new URL(fresh.url)
    url.searchParams.set('options', `-c role=${role}`)
    const db = connect(url.href)
    const older = await fresh.db.transaction()
    await older.raw('select 1')
    expect(await sealLedger(db)).toBe(0)
    await older.rollback()
    expect(await sealLedger(db)).toBeGreaterThan(9)
    await db.destroy()
    await fresh.db.raw(`drop owned by ${role}; drop role ${role}`)
  },
)

it.each(['citus_internal gpid=20000000001', 'Citus Maintenance Daemon'])(
  'a day does not wait for transactions of Citus itself: %s',
  async (name) => {
    const expected = await sealLedger(fresh.db)
    await fresh.db('ledger_seals').delete()
    const own = await fresh.db.transaction()
    await own.raw(`set local application_name to '${name}'`)
    expect(await sealLedger(fresh.db)).toBe(expected)
    await own.rollback()
  },
)

it('the oldest row of a ledger without seals is sought without a time limit', async () => {
  const sent: string[] = []
  fresh.db.on('query', ({ sql }) => sent.push(sql))
  await sealLedger(fresh.db)
  fresh.db.removeAllListeners('query')
  const search = sent.findIndex((sql) => sql.includes('min("createdAt"'))
  expect(sent.slice(0, search)).toContain('set local statement_timeout = 0')
})

it('a day is sealed five minutes after its end, so that a clock set back a little posts nothing in it', async () => {
  const sealed = await sealLedger(fresh.db)
  const nextMidnight = fresh.noon + AGE_MS + DAY_MS / 2
  await advance(fresh.db, nextMidnight + 4 * MINUTE_MS - (await productNow(fresh.db)))
  await recordSwept(fresh.db)
  expect(await sealLedger(fresh.db)).toBe(0)
  await advance(fresh.db, 2 * MINUTE_MS)
  await recordSwept(fresh.db)
  expect(await sealLedger(fresh.db)).toBe(1)
  expect(await seals()).toHaveLength(sealed + 1)
})

it('a signature is that of the key, and covers the fields of its seal', async () => {
  await sealLedger(fresh.db)
  const key = sealKey(randomBytes(32))
  expect(await signSeals(fresh.db, key)).toBe((await seals()).length)
  expect(await signSeals(fresh.db, key)).toBe(0)
  const [seal] = await seals()
  if (!seal) throw new Error('there is no seal')
  expect(await signatureFits(seal)).toBe(true)
  expect(await signatureFits({ ...seal, rows: seal.rows + 1 })).toBe(false)
  expect(await broken()).toEqual([])
})

it('a late credit is no problem, and its day is sealed again', async () => {
  await sealLedger(fresh.db)
  await lateCredit(fresh.db, fresh.noon)
  expect(await problems()).toEqual([])
  expect(await sealLateRows(fresh.db)).toBe(1)
  expect((await seals()).at(-1)).toMatchObject({ reason: 'late rows' })
  expect(await sealLateRows(fresh.db)).toBe(0)
  expect(await problems()).toEqual([])
})

it('a search for late credits tries a day again while another process takes a step', async () => {
  await sealLedger(fresh.db)
  const newest = (await seals()).at(-1)?.day ?? ''
  await lateCredit(fresh.db, Date.parse(newest) + DAY_MS / 2)
  const other = await fresh.db.transaction()
  await other.raw('select pg_advisory_xact_lock(?)', [STEP_LOCK])
  let asked = 0
  expect(await sealLateRows(fresh.db, () => asked++ < 1)).toBe(0)
  const sealed = sealLateRows(fresh.db, () => asked++ > 0)
  await expect.poll(() => asked).toBeGreaterThan(3)
  await other.rollback()
  expect(await sealed).toBe(1)
})

it('a day that differs by more than late credits is not sealed again', async () => {
  await sealLedger(fresh.db)
  const { seq } = await aRow()
  await fresh.db('wallet_activity').where({ seq }).delete()
  await expect(sealLateRows(fresh.db)).rejects.toThrow('differs from its seal')
})

describe('a roll-up', () => {
  it('takes no day that is not sealed, once the ledger has seals', async () => {
    let steps = 0
    // A day takes two steps: it is due, then it is sealed.
    await sealLedger(fresh.db, () => steps++ < 2)
    const [first, ...others] = await seals()
    expect(others).toEqual([])
    await rollUpLedger(fresh.db, 7)
    const newest = await fresh.db('ledger_rollups').max({ partition: 'partition' }).first()
    expect(newest?.partition).toBe(partitionName(Date.parse(first?.day ?? '')))
    await sealLedger(fresh.db)
    expect(await rollUpLedger(fresh.db, 7)).toBeGreaterThan(1)
  })

  it('is sealed again and stays audited', async () => {
    await sealLedger(fresh.db)
    await lateCredit(fresh.db, fresh.noon)
    expect(await rollUpLedger(fresh.db, 7)).toBeGreaterThan(2)
    // Between the swap and its seal.
    expect(await problems()).toEqual([])
    expect(await sealLateRows(fresh.db)).toBe(0)
    expect(await sealLedger(fresh.db)).toBeGreaterThan(2)
    expect((await seals()).at(-1)).toMatchObject({ reason: 'roll-up' })
    expect(await problems()).toEqual([])
    expect((await audit(fresh.db)).problems).toEqual([])
    const { seq } = await aRow()
    await fresh.db('wallet_activity').where({ seq }).increment('amount', 1)
    expect((await problems()).length).toBeGreaterThan(0)
  })

  it('is sealed again once, although the clock of Postgres was set back after it', async () => {
    await sealLedger(fresh.db)
    await rollUpLedger(fresh.db, 7)
    const before = await seals()
    await fresh.db('ledger_rollups').update({ swappedAt: new Date(Date.now() + HOUR_MS) })
    await sealLedger(fresh.db)
    const again = (await seals()).slice(before.length).map(({ day }) => day)
    expect(again.length).toBeGreaterThan(2)
    expect(new Set(again).size).toBe(again.length)
    expect(await problems()).toEqual([])
  })

  it('is not sealed again when its month is merged, which stays audited', async () => {
    await sealLedger(fresh.db)
    await rollUpDaily()
    await endMonth()
    await rollUpDaily()
    const before = await seals()
    const { seq } = await aRow()
    const row = () => fresh.db('wallet_activity').where({ seq })
    await row().increment('amount', 1)
    await expect.poll(() => mergePartitions(fresh.db)).toBeGreaterThan(0)
    await sealLedger(fresh.db)
    expect(await seals()).toEqual(before)
    expect((await problems()).length).toBeGreaterThan(0)
    await row().decrement('amount', 1)
    expect(await problems()).toEqual([])
  })

  it('is sealed again before its month is merged', async () => {
    await sealLedger(fresh.db)
    await endMonth()
    await sealLedger(fresh.db)
    await rollUpLedger(fresh.db, 7)
    expect(await mergePartitions(fresh.db)).toBe(0)
    await sealLedger(fresh.db)
    await expect.poll(() => mergePartitions(fresh.db)).toBeGreaterThan(0)
    expect(await problems()).toEqual([])
  })

  describe('of a day that differs from its seal', () => {
    const rollUp = () => rollUpLedger(fresh.db, 7)
    const looks = () => fresh.db('maintenance_steps').where('work', 'like', 'seals of %')
    const rollups = () => fresh.db('ledger_rollups')
    let partition: string
    beforeEach(async () => {
      await sealLedger(fresh.db)
      const { seq, createdAt } = await aRow()
      partition = partitionName(createdAt.getTime())
      await fresh.db('wallet_activity').where({ seq }).delete()
      await expect(rollUp()).rejects.toThrow('differs from its seal')
    })

    it('stops before the swap, is left out for a day, and later days are rolled up', async () => {
      expect(await rollups().whereNull('swappedAt').pluck('partition')).toEqual([partition])
      expect(await rollups().where('partition', '>', partition)).not.toEqual([])
      await expect(rollUp()).rejects.toThrow('differs from its seal')
      expect(await looks()).toMatchObject([{ steps: 1 }])
      await looks().update({ lastAt: new Date(Date.now() - DAY_MS) })
      await expect(rollUp()).rejects.toThrow('differs from its seal')
      expect(await looks()).toMatchObject([{ steps: 2 }])
    })

    it('keeps its month from being merged, and later months are', async () => {
      await endMonth()
      await expect(rollUp()).rejects.toThrow('differs from its seal')
      await sealLedger(fresh.db)
      await expect.poll(() => mergePartitions(fresh.db)).toBeGreaterThan(0)
      expect(await rollups().whereNull('swappedAt').pluck('partition')).toEqual([partition])
      expect(await fresh.db.schema.hasTable(partition)).toBe(true)
    })

    it('goes on once an operator says that its seals are checked', async () => {
      await fresh.db.raw(`update ledger_rollups set "isSealChecked" = true where partition = ?`, [
        partition,
      ])
      expect(await rollUp()).toBe(1)
      await sealLedger(fresh.db)
      expect(await problems()).toEqual([])
      expect(await sealLateRows(fresh.db)).toBe(0)
    })
  })
})

it('a worker that dies after any statement leaves one seal a day', async () => {
  const kills = await cutAfterStatements(fresh.url, {
    work: sealLedger,
    check: async () => expect(await broken()).toEqual([]),
    step: 40,
  })
  expect(kills).toBeGreaterThan(3)
  const days = (await seals()).map(({ day }) => day)
  expect(new Set(days).size).toBe(days.length)
  expect(await problems()).toEqual([])
})
