import { readEnvironment } from '#scripts/process/environment'

// Before the import: the role reads its environment when it is loaded.
Object.assign(process.env, readEnvironment())
await import('#workers/main')
