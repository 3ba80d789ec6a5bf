import { migrate } from '#db/migrations/migrate'
import { readConfig } from '#runtime/config/config'
import { runRole } from '#runtime/run-role'
import { startWorkers } from './server.ts'

runRole('workers', async () => {
  const config = readConfig(process.env)
  await migrate(config.databaseDirectUrl ?? config.databaseUrl, config)
  return startWorkers(config)
})
