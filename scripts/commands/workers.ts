import { pathToFileURL } from 'node:url'
import { buildRoles, ROLES_DIR } from '#scripts/build/build-roles'
import { readEnvironment } from '#scripts/process/environment'

await buildRoles()
// Before the import: the role reads its environment when it is loaded.
Object.assign(process.env, readEnvironment())
await import(pathToFileURL(`${ROLES_DIR}/workers.mjs`).href)
