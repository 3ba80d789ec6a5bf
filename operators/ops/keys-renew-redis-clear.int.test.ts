import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { enqueueMail } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { operate } from '#operators/ops/testing/operate'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const reason = { reason: 'yearly rotation' }

it('keys renew leaves no row under an older key', async () => {
  const { db, config } = product
  const OLD = config.dataKey
  await inTransaction(db, (tx) =>
    enqueueMail(tx, OLD, { to: 'a@b.example', subject: 's', text: 't' }),
  )
  const place = { db, config: { ...config, dataKey: Buffer.concat([Buffer.alloc(32, 9), OLD]) } }
  const olderRows = async () => {
    const uses = JSON.parse(await operate(place, 'keys status', [], { json: true }))
    return uses.reduce((sum: number, { older }: { older: number }) => sum + older, 0)
  }
  const before = await olderRows()
  expect(before).toBeGreaterThan(0)
  expect(await operate(place, 'keys renew', [], reason)).toBe(`${before} rows are encrypted again`)
  expect(await olderRows()).toBe(0)
  // The gateway of this file does not have the new key.
  await db('mails').delete()
})

it('redis clear ends sign-ins and queues and touches no other key', async () => {
  const { config } = product
  const { redisPrefix: prefix } = config
  const member = await newMember(product)
  const redis = new Redis(config.redisUrl)
  try {
    await redis.set(`${prefix}x:neighbour`, 'kept')
    await redis.set(`{${prefix}}:queue:send-mail:meta`, 'queue')
    await redis.set(`{${prefix}:week-board}:x`, 'board')
    expect((await member.call('GET /api/user')).status).toBe(200)
    await operate(product, 'redis clear', [], reason)
    expect(await redis.exists(`{${prefix}:week-board}:x`)).toBe(0)
    expect((await member.call('GET /api/user')).status).toBe(401)
    expect(await redis.exists(`{${prefix}}:queue:send-mail:meta`)).toBe(0)
    expect(await redis.get(`${prefix}x:neighbour`)).toBe('kept')
  } finally {
    await redis.del(`${prefix}x:neighbour`)
    redis.disconnect()
  }
})
