import { startEmbedded } from '#scripts/embedded/servers'

// servers.int.test.ts starts and kills this process.
const { databaseUrl, redisUrl, pids } = await startEmbedded({
  dataDir: process.argv[2] ?? '',
  durable: true,
})
process.send?.({ databaseUrl, redisUrl, pids })
