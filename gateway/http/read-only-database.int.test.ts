import { expect, it } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import { databaseAt } from '#scripts/embedded/create-database'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const product = useProduct()
const member = useMember(product)

/** Makes the database as a replica is; open connections end, as those to a lost primary. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const { databaseUrl } = product.config
  const name = new URL(databaseUrl).pathname.slice(1)
  await withClient(databaseAt(databaseUrl, 'postgres'), async (client) => {
    await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly}`)
    await client.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
      [name],
    )
  })
}

it('commands and /readyz are answered 503 while Postgres accepts no writes, and 200 afterwards', async () => {
  const status = async () => (await member.fetch('/readyz')).status
  const start = () => member.call('POST /api/mining/start')
  await setReadOnly(true)
  try {
    await expect.poll(status).toBe(503)
    await expect.poll(start).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  } finally {
    await setReadOnly(false)
  }
  await expect.poll(status).toBe(200)
  expect((await start()).status).toBe(200)
})
