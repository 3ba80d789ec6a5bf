import { migrate } from '#db/migrations/migrate'
import { readConfig } from '#runtime/config/config'
import { runRole } from '#runtime/run-role'
import { startGateway } from './server.ts'

runRole('gateway', async () => {
  const config = readConfig(process.env)
  await migrate(config.databaseDirectUrl ?? config.databaseUrl, config)
  return startGateway(config)
})
