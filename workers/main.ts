import { readConfig } from '#db/config'
import { migrate } from '#db/migrate'
import { runRole } from '#db/role'
import { startWorkers } from './server.ts'

runRole(async () => {
  const config = readConfig(process.env)
  await migrate(config.databaseUrl, config)
  return startWorkers(config)
})
