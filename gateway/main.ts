import { migrate } from '#db/postgres/migrate'
import { readConfig } from '#db/process/config'
import { runRole } from '#db/process/run-role'
import { startGateway } from './server.ts'

runRole('gateway', async () => {
  const config = readConfig(process.env)
  await migrate(config.databaseDirectUrl ?? config.databaseUrl, config)
  return startGateway(config)
})
