import { readEnvironment } from '#scripts/process/environment'

// `.env` and this clone's own secrets first: the role reads its environment when it is loaded.
Object.assign(process.env, readEnvironment())
await import('#gateway/main')
