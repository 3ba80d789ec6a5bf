import type { Config } from '#db/process/config'
import { testSecrets } from '#db/testing/database'
import { type RoleProcess, roleProcess } from '#db/testing/role-process'

/** A gateway in its own process, as operators run it, with the built client. */
export type GatewayProcess = RoleProcess & { port: number }

/** Starts one at that port, with the database and Redis of that configuration. */
export function gatewayProcess(config: Config, port: number): GatewayProcess {
  const role = roleProcess('gateway', {
    ...testSecrets(),
    DATABASE_URL: config.databaseUrl,
    REDIS_URL: config.redisUrl,
    REDIS_PREFIX: config.redisPrefix,
    PORT: String(port),
    DATABASE_POOL: '4',
  })
  return { ...role, port }
}
