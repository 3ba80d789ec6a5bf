import { Redis } from 'ioredis'
import type { Product } from './product.ts'

/** A table and its columns that can hold personal data. */
type Table = { table: string; columns: string[] }

/** Column types that can hold personal data; dates and numbers cannot. */
const TEXTUAL = ['text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY']

/** Every table but partitions, whose rows are those of their parent. */
async function tablesOf({ db }: Product): Promise<Table[]> {
  const { rows } = await db.raw(
    `select c.table_name as table, json_agg(
       case when c.data_type = 'bytea' then format('(%L, encode(%I, ''escape''))', c.column_name, c.column_name)
            else format('(%L, %I::text)', c.column_name, c.column_name) end) as columns
     from information_schema.columns c
     join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace
     where c.table_schema = 'public' and t.relkind in ('r', 'p') and not t.relispartition
       and c.data_type = any(?)
     group by 1`,
    [TEXTUAL],
  )
  return rows
}

/** Finds texts in any column of any table; returns `table.column: text` for each occurrence. */
export async function foundInDatabase(product: Product, texts: string[]): Promise<string[]> {
  const each = (await tablesOf(product)).map(
    ({ table, columns }) =>
      `select '${table}.' || held.name || ': ' || wanted.text as found from "${table}"
       cross join lateral (values ${columns.join(', ')}) as held (name, value), wanted
       where strpos(lower(held.value), lower(wanted.text)) > 0`,
  )
  // One statement: they would be hundreds, and planning them took longer than reading.
  const { rows } = await product.db.raw(
    `with wanted as (select unnest(?::text[]) as text) ${each.join(' union ')} order by 1`,
    [texts],
  )
  return rows.map(({ found }: { found: string }) => found)
}

/** How values in Redis are read, by their type. */
const READERS: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  list: (redis, key) => redis.lrange(key, 0, -1),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, '0', '-1'),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
}

/** Finds texts in Redis; returns each `key value` of this product that contains one. */
export async function foundInRedis({ config }: Product, texts: string[]): Promise<string[]> {
  const redis = new Redis(config.redisUrl)
  try {
    const keys = await redis.keys(`*${config.redisPrefix}*`)
    const entries = await Promise.all(
      keys.map(async (key) => {
        const value = await READERS[await redis.type(key)]?.(redis, key)
        return `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`
      }),
    )
    return entries.filter((entry) =>
      texts.some((text) => entry.toLowerCase().includes(text.toLowerCase())),
    )
  } finally {
    redis.disconnect()
  }
}
