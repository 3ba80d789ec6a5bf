import { migrate } from '#db/postgres/schema/migrate'
import { readConfig } from '#db/process/config/config'
import { runRole } from '#db/process/run-role'
import { startWorkers } from './server.ts'

runRole('workers', async () => {
  const config = readConfig(process.env)
  await migrate(config.databaseDirectUrl ?? config.databaseUrl, config)
  return startWorkers(config)
})
