import { expect, it } from 'vitest'
import { redisForQueues } from '#runtime/redis'
import { startRedisCluster } from './redis-cluster.ts'
import { missingRedis } from './redis-process.ts'

/** Each of them may ask the frozen node first. */
const CONNECTIONS = 20

it.skipIf(missingRedis())(
  'connections of queues become ready while a master of the cluster is frozen',
  async () => {
    const servers = await startRedisCluster()
    const master = await servers.masterOf('any key')
    master.signal('SIGSTOP')
    const connections = Array.from({ length: CONNECTIONS }, () => redisForQueues(servers.url))
    try {
      const ready = () => connections.filter(({ status }) => status === 'ready').length
      await expect.poll(ready, { timeout: 10_000 }).toBe(CONNECTIONS)
    } finally {
      for (const connection of connections) connection.disconnect()
      await servers.stop()
    }
  },
)
