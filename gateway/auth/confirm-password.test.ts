import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisForRequests } from '#db/process/redis'
import { KeyedMutex } from '#gateway/services/keyed-mutex'
import { RateLimits } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, PASSWORD } from '#gateway/testing/visitor'
import { confirmPassword } from './confirm-password.ts'

let product: Product
let redis: Redis

beforeAll(async () => {
  product = await startProduct({ env: { LOGIN_FAILURES_PER_ACCOUNT: '4' } })
  redis = redisForRequests(product.config.redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await product.close()
})

it('does not hear the right password any more where it comes beside too many wrong ones', async () => {
  const { db, config } = product
  const member = await newMember(product)
  const services = {
    db,
    limits: new RateLimits(redis, config),
    memberMutex: new KeyedMutex(),
  } as Services
  const guess = (password: string) =>
    confirmPassword(services, member.user?.id ?? 0, password).then(
      () => 'right',
      ({ code }) => code,
    )
  const passwords = ['a', 'b', 'c', 'd', PASSWORD]
  const first = await Promise.all(passwords.slice(2).map(guess))
  expect(first).toEqual(['wrong_password', 'wrong_password', 'right'])
  expect(await Promise.all(passwords.map(guess))).toEqual([
    ...['wrong_password', 'wrong_password'],
    ...['too_many_requests', 'too_many_requests', 'too_many_requests'],
  ])
})
