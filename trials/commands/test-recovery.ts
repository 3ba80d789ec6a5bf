import { readArguments } from '#runtime/process/read-arguments'
import { runTrial } from '#trials/kit/run-trial'
import { missingPostgres, postgresPrograms } from '#trials/recovery/debian-postgres'
import { tryRecovery } from '#trials/recovery/recovery-trial'

readArguments('npm run test:recovery', {})
/** `npm run test:recovery`: restores a running product's database to a given second. */
await runTrial('Recovery', missingPostgres(), (trial) => {
  return tryRecovery(trial, postgresPrograms() ?? '')
})
