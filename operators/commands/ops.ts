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
      const config = loadConfig({ ...env, DATABASE_URL: databaseUrl }, NEEDED_BY_COMMANDS)
      const { databasePrepared: preparedStatements } = config
      const db = connect(databaseUrl, { max: 2, name: 'tesp-ops', preparedStatements })
      const run = () => runOps(name, command, { db, config, ...typed }, PROCESS_TERMINAL)
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
