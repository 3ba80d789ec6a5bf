import { CommanderError } from 'commander'
import { connect } from '#db/engine/connect'
import { explainingSchema } from '#db/migrations/schema-floor'
import { opsProgram } from '#operators/ops/program'
import { PROCESS_TERMINAL, runOps } from '#operators/ops/run'
import { loadConfig, NEEDED_BY_COMMANDS } from '#runtime/config/config'
import { readEnvironment } from '#runtime/process/environment'
import type { OperatorsCommand } from './run-command.ts'

export const ops: OperatorsCommand = async (withDatabase) => {
  const program = opsProgram(async (name, command, typed) => {
    const env = readEnvironment()
    await withDatabase(env.DATABASE_URL, async (databaseUrl) => {
      const redisUrl = env.REDIS_URL || undefined
      const REDIS_URL = redisUrl ?? 'redis://not-configured'
      const place = { ...env, DATABASE_URL: databaseUrl, REDIS_URL }
      const config = loadConfig(place, NEEDED_BY_COMMANDS)
      const { databasePrepared: preparedStatements } = config
      const db = connect(databaseUrl, { max: 2, name: 'tesp-ops', preparedStatements })
      const call = { db, config, redisUrl, ...typed }
      const run = () => runOps(name, command, call, PROCESS_TERMINAL)
      await explainingSchema(db, run).finally(() => db.destroy())
    })
  })
  try {
    await program.parseAsync(process.argv.slice(2), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    throw error
  }
}
