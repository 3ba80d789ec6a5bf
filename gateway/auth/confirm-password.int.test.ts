import type Koa from 'koa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KeyedMutex } from '#gateway/services/mutex'
import { RateLimits } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { redisForRequests } from '#runtime/redis'
import type { RedisClient } from '#runtime/redis/redis-client'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD } from '#scripts/testing/gateway/visitor'
import { confirmPassword } from './passwords.ts'

const product = useProduct({ env: { LOGIN_FAILURES_PER_ACCOUNT: '4' } })
let redis: RedisClient

beforeAll(() => {
  redis = redisForRequests(product.config.redisUrl)
})
afterAll(() => redis?.disconnect())

it('the right password among too many parallel guesses is rejected', async () => {
  const { db, config } = product
  const member = await newMember(product)
  const services = {
    db,
    limits: new RateLimits(redis, config),
    memberMutex: new KeyedMutex(),
  } as Services
  const ctx = {} as Koa.Context
  const guess = (password: string) =>
    confirmPassword(services, ctx, member.user?.id ?? 0, password).then(
      () => 'right',
      ({ code }) => code,
    )
  const passwords = ['a', 'b', 'c', 'd', PASSWORD]
  const first = await Promise.all(passwords.slice(2).map(guess))
  expect(first).toEqual(['wrong_password', 'wrong_password', 'right'])
  expect(await Promise.all(passwords.map(guess))).toEqual([
    'wrong_password',
    'wrong_password',
    'too_many_requests',
    'too_many_requests',
    'too_many_requests',
  ])
})
