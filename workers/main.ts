import { migrate } from '#db/migrations/migrate'
import { readConfig } from '#runtime/config/config'
import { createLog } from '#runtime/log'
import { runRole } from '#runtime/run-role'
import { startWorkers } from './server.ts'

runRole('workers', async () => {
  const config = readConfig(process.env)
  const log = createLog('workers', config.logLevel)
  const report = (line: string) => log.info(line)
  const url = config.databaseDirectUrl ?? config.databaseUrl
  await migrate(url, { ...config, report, isRole: true })
  return startWorkers(config)
})
