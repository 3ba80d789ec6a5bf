import { readArguments } from '#scripts/process/read-arguments'
import { missingPostgres, postgresPrograms } from '#scripts/recovery/debian-postgres'
import { tryRecovery } from '#scripts/recovery/recovery-trial'
import { runTrial } from '#scripts/trial/run-trial'

readArguments('npm run test:recovery', {})
/** `npm run test:recovery`: restores a running product's database to a given second. */
await runTrial('Recovery', missingPostgres(), (trial) => {
  return tryRecovery(trial, postgresPrograms() ?? '')
})
