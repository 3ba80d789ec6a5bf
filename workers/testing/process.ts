import { testSecrets } from '#db/testing/database'
import { type RoleProcess, roleProcess } from '#db/testing/role-process'

/** The workers as operators run them. */
export type WorkersProcess = RoleProcess

type Place = { url: string; redisUrl: string; redisPrefix: string }

/** Starts one on that database and corner of Redis. */
export function workersProcess({ url, redisUrl, redisPrefix }: Place): WorkersProcess {
  return roleProcess('workers', {
    ...testSecrets(),
    DATABASE_URL: url,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    DATABASE_POOL: '4',
  })
}
