import { readArguments } from '#runtime/process/read-arguments'
import { runTrial } from '#trials/kit/run-trial'
import { commitBeforeNewestMigration } from '#trials/upgrade/checkout'
import { tryUpgrade } from '#trials/upgrade/upgrade-trial'

/**
 * `npm run test:upgrade`: the last commit beside itself with one more migration.
 * `-- --previous`: the commit before the newest migration beside the last one. `-- --from <commit>`.
 */
const { values } = readArguments('npm run test:upgrade -- [--previous] [--from <commit>]', {
  options: { from: { type: 'string' }, previous: { type: 'boolean' } },
})
const from = values.from ?? (values.previous ? commitBeforeNewestMigration() : undefined)
await runTrial('Upgrade and rollback', undefined, (trial) => tryUpgrade(trial, { from }))
