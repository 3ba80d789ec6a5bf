import { missingPostgres, postgresPrograms } from '#scripts/recovery/debian-postgres'
import { tryRecovery } from '#scripts/recovery/recovery-trial'
import { runTrial } from '#scripts/trial/run-trial'

/** `npm run test:recovery`: restores a running product's database to a given second. */
await runTrial('Recovery', missingPostgres(), (trial) => {
  return tryRecovery(trial, postgresPrograms() ?? '')
})
