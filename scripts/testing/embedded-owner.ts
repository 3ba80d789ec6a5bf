import { startEmbedded } from '#scripts/embedded/servers'

// Started by servers.test.ts, to be killed.
const { databaseUrl, redisUrl, pids } = await startEmbedded({
  dataDir: process.argv[2] ?? '',
  durable: true,
})
process.send?.({ databaseUrl, redisUrl, pids })
