import { Redis } from 'ioredis'
import type { Product } from './product.ts'

type Column = { table: string; column: string; type: string }

/** Column types that can hold personal data; dates and numbers cannot. */
const TEXTUAL = ['text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY']

/** Finds texts in any column of any table; returns `table.column: text` for each occurrence. */
export async function foundInDatabase({ db }: Product, texts: string[]): Promise<string[]> {
  const { rows } = await db.raw(
    `select c.table_name as table, c.column_name as column, c.data_type as type
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = any(?)`,
    [TEXTUAL],
  )
  const found: string[] = []
  for (const { table, column, type } of rows as Column[]) {
    const value = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    for (const text of texts) {
      const hits = await db(table).whereRaw(`strpos(lower(${value}), lower(?)) > 0`, [text])
      if (hits.length > 0) found.push(`${table}.${column}: ${text}`)
    }
  }
  return found
}

/** Finds texts in Redis; returns each key of this product whose name or value contains one. */
export async function foundInRedis({ config }: Product, texts: string[]): Promise<string[]> {
  const redis = new Redis(config.redisUrl)
  try {
    const keys = await redis.keys(`*${config.redisPrefix}*`)
    const entries = await Promise.all(
      keys.map(async (key) => {
        const isText = (await redis.type(key)) === 'string'
        return isText ? `${key} ${await redis.get(key)}` : key
      }),
    )
    return entries.filter((entry) =>
      texts.some((text) => entry.toLowerCase().includes(text.toLowerCase())),
    )
  } finally {
    redis.disconnect()
  }
}
