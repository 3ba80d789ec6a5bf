import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { isProduct, sourceFiles } from '#scripts/testing/import-graph'

/** Commands that take several keys, or run others that do. */
const SEVERAL_KEYS =
  /\.(mget|mset|msetnx|unlink|rename|renamenx|copy|[sz](?:inter|union|diff)\w*|bitop|pfcount|pfmerge|blpop|brpop|bzpop\w*|b?lmpop|b?zmpop|b?lmove|b?rpoplpush|smove|xread\w*|sort|eval|evalsha|fcall|multi|pipeline|defineCommand|sendCommand|call)\(/g
/** `del`, `exists` and `touch` with more than one argument or with a list. */
const LISTS = /\.(?:del|exists|touch)\((?:\.\.\.|[^()]*,)/g

const USES_REDIS = /^(db|gateway|operators|runtime|workers)\//

/** Where several keys are split or have one hash tag, a transaction has one key, or an array is sorted. */
const SAFE = new Set([
  // Keys with the same hash tag.
  'db/team/week-board.ts eval',
  'db/team/week-board.ts call',
  'db/team/week-board.ts multi',
  // Renames a span.
  'gateway/http/request-ids.ts rename',
  'runtime/redis/redis-client.ts mget',
  'gateway/services/device-list.ts multi',
  'gateway/services/device-list.ts sort',
])

function multiKeyCommands(file: string, source: string): string[] {
  if (!/redis|ioredis/i.test(source)) return []
  const found = [...source.matchAll(SEVERAL_KEYS)].map(([, name]) => `${file} ${name}`)
  const lists = [...source.matchAll(LISTS)].map(([text]) => `${file} ${text}`)
  const isOwnOverride = (one: string) =>
    file.startsWith('runtime/redis/fail-fast') && one.endsWith(' sendCommand')
  return [...found, ...lists].filter((one) => !SAFE.has(one) && !isOwnOverride(one))
}

it('no command of the product names keys of several slots', () => {
  const files = sourceFiles(ROOT).filter((file) => isProduct(file) && USES_REDIS.test(file))
  const found = files.flatMap((file) =>
    multiKeyCommands(file, fs.readFileSync(path.join(ROOT, file), 'utf8')),
  )
  // Keys of one command must hash to one slot of a cluster: split them as `readValues` does.
  expect(found).toEqual([])
})

it.each([
  'redis.mget(keys)',
  'redis.del(...keys)',
  'redis.del(first, second)',
  'redis.multi()',
  'redis.eval(script, 2, a, b)',
])('a new command with several keys is found: %s', (source) => {
  expect(multiKeyCommands('db/new.ts', source)).toHaveLength(1)
})

it('a command with one key is allowed', () => {
  expect(multiKeyCommands('db/new.ts', 'redis.del(this.redisKey(name)); redis.get(a)')).toEqual([])
})
