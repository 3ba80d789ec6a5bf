import { expect, it } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import { testDatabase } from './database.ts'

const tables = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query('SELECT * FROM pg_tables WHERE schemaname = $1', ['public'])
    return rows.length
  })

it('testDatabase gives each test file its own migrated database', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()])
  expect(one.url).not.toBe(other.url)
  expect(one.redisPrefix).not.toBe(other.redisPrefix)
  const migrated = await tables(one.url)
  expect(migrated).toBeGreaterThan(1)
  await withClient(one.url, (client) => client.query('CREATE TABLE mine (id int)'))
  expect(await tables(one.url)).toBe(migrated + 1)
  expect(await tables(other.url)).toBe(migrated)
  await Promise.all([one.drop(), other.drop()])
  await expect(tables(one.url)).rejects.toThrow('does not exist')
})
