import { connect } from '#db/engine/connect'
import { inTransaction } from '#db/postgres/statements/transaction'
import { recordAction } from '#operators/actions/action-log'
import { inviteOperator, resetOperator } from '#operators/actions/operators'
import { type RunningConsole, startConsole } from '#operators/console/server'
import { invitationLink } from '#operators/ops/operators'
import { type Config, loadConfig } from '#runtime/config/config'
import { SETTINGS, type SettingName } from '#runtime/config/settings'
import { readEnvironment } from '#runtime/process/environment'
import { readArguments } from '#runtime/process/read-arguments'
import type { OperatorsCommand } from './run-command.ts'

/** Without REDIS_URL queues and sign-ins of members are not shown. */
const NEEDED = (Object.keys(SETTINGS) as SettingName[]).filter((name) => name !== 'REDIS_URL')

export const operatorsConsole: OperatorsCommand = async (withDatabase) => {
  readArguments('npm run console', {})
  const env = readEnvironment()
  await withDatabase(env.DATABASE_URL, async (databaseUrl) => {
    const running = await startConsole(loadConfig({ ...env, DATABASE_URL: databaseUrl }, NEEDED))
    console.log(`The operators' console is at ${running.origin}`)
    await new Promise((resolve) => {
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    await running.close()
  })
  return 0
}

/** Undefined if an owner has accepted an invitation. */
async function firstInvitation(config: Config, origin: string): Promise<string | undefined> {
  const db = connect(config.databaseUrl, { max: 1, name: 'tesp-console' })
  try {
    return await inTransaction(db, async (tx) => {
      const owners = await tx('operators').where({ role: 'owner' }).select('name', 'password')
      if (owners.some(({ password }) => password !== null)) return undefined
      const name: string = owners[0]?.name ?? 'owner'
      const token = owners[0]
        ? await resetOperator(tx, config.dataKey, name)
        : await inviteOperator(tx, config.dataKey, { name, role: 'owner' })
      const entry = { operator: 'npm start', action: 'operators invite', memberId: null }
      await recordAction(tx, { ...entry, details: { name, role: 'owner' }, reason: 'first start' })
      return invitationLink(origin, token)
    })
  } finally {
    await db.destroy()
  }
}

/** For the embedded database. `invitation` is the link of a first sign-in, until somebody has used one. */
export async function startLocalConsole(
  config: Config,
  port: number,
): Promise<RunningConsole & { invitation: string | undefined }> {
  const running = await startConsole({ ...config, consolePort: port })
  return { ...running, invitation: await firstInvitation(config, running.origin) }
}
