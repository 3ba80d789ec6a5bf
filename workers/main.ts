import { migrate } from '#db/postgres/migrate'
import { readConfig } from '#db/process/config'
import { runRole } from '#db/process/run-role'
import { startWorkers } from './server.ts'

runRole('workers', async () => {
  const config = readConfig(process.env)
  await migrate(config.databaseDirectUrl ?? config.databaseUrl, config)
  return startWorkers(config)
})
