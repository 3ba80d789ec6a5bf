import knex from 'knex'
import { chooseEngine, connect } from '#db/engine/connect'
import { setEngine } from '#db/engine/engine'
import { audit as auditLedger } from '#db/ledger/audit'
import { MOST_ROWS } from '#db/ledger/audit/audit-step'
import { auditSeals } from '#db/ledger/seals/audit-seals'
import { explainingSchema } from '#db/migrations/schema-floor'
import { catchesUp, replicaLagSeconds } from '#db/postgres/connection/replica'
import type { Db } from '#db/postgres/statements/transaction'
import { refuse } from '#operators/actions/action-log'
import { wholeNumber } from '#operators/ops/command'
import { placeOf } from '#operators/ops/print'
import { SECOND_MS } from '#rules/constants'
import { readEnvironment } from '#runtime/process/environment'
import { readArguments } from '#runtime/process/read-arguments'
import type { OperatorsCommand } from './run-command.ts'

const SHOWN_ROWS = 20

/** A lost primary leaves nothing to wait for. */
async function isRecent(replica: Db, primaryUrl: string, waitMs: number): Promise<boolean> {
  const primary = connect(primaryUrl, { max: 1, name: 'tesp-audit' })
  try {
    return await catchesUp(primary, replica, waitMs)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    console.error(`The primary is not reachable (${reason}): what the replica lacks is not audited`)
    return true
  } finally {
    await primary.destroy()
  }
}

export const audit: OperatorsCommand = async (withDatabase) => {
  const { values } = readArguments('npm run audit -- [--wait <seconds>]', {
    options: { wait: { type: 'string', default: '60' } },
  })
  const waitMs = wholeNumber(values.wait, '--wait') * SECOND_MS
  const env = readEnvironment()
  const primaryUrl = env.DATABASE_DIRECT_URL || env.DATABASE_URL
  const replicaUrl = env.DATABASE_REPLICA_URL
  const { wallets, problems } = await withDatabase(replicaUrl || primaryUrl, async (connection) => {
    console.log(`database          ${placeOf(connection)}`)
    const db = knex({ client: 'pg', connection, pool: { min: 0, max: 2 }, log: { warn: () => {} } })
    setEngine(db, chooseEngine)
    try {
      if (replicaUrl && primaryUrl && !(await isRecent(db, primaryUrl, waitMs))) {
        const advice = 'Wait longer (--wait <seconds>), or unset DATABASE_REPLICA_URL.'
        const late = `The replica is more than ${values.wait} s behind the primary`
        refuse(`${late}: nothing is audited.\n${advice}`)
      }
      const lag = await replicaLagSeconds(db)
      if (lag !== undefined) console.log(`replica, behind   ${lag.toFixed(1)} s`)
      return await explainingSchema(db, async () => {
        const { wallets, problems } = await auditLedger(db)
        const seals = Object.entries(await auditSeals(db)).filter(([, rows]) => rows.length > 0)
        const broken = seals.map(([rule, rows]) => ({ rule, rows }))
        return { wallets, problems: [...problems, ...broken] }
      })
    } finally {
      await db.destroy()
    }
  })
  if (wallets === 0) {
    refuse('This database has no wallet: nothing was audited. Is DATABASE_URL that of the product?')
  }
  console.log(`wallets checked   ${wallets}`)
  console.log(`broken rules      ${problems.length}`)
  for (const { rule, rows } of problems) {
    console.error(`\n${rule}: ${rows.length}${rows.length === MOST_ROWS ? ' or more' : ''} rows`)
    for (const row of rows.slice(0, SHOWN_ROWS)) console.error(`  ${JSON.stringify(row)}`)
    if (rows.length > SHOWN_ROWS) console.error(`  … and ${rows.length - SHOWN_ROWS} more`)
  }
  return problems.length > 0 ? 1 : 0
}
