import type Koa from 'koa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KeyedMutex } from '#gateway/services/mutex'
import { RateLimits } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { redisForRequests } from '#runtime/redis'
import type { RedisClient } from '#runtime/redis/redis-client'
import { stranger } from '#scripts/testing/gateway/strangers'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'
import { confirmPassword } from './passwords.ts'

const product = useProduct({
  env: { LOGIN_FAILURES_PER_ACCOUNT: '4', TRUSTED_PROXIES: '127.0.0.1' },
})
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

it('right passwords are limited too, because each takes a hash and most send a mail', async () => {
  const member = await newMember(product)
  const body = { password: PASSWORD }
  const options = () => member.call('POST /api/user/passkeys/options', { body })
  for (let n = 0; n < 30; n++) expect((await options()).status).toBe(200)
  expect((await options()).status).toBe(429)
})

it('right sign-ins are limited for an account at an address', async () => {
  const member = await newMember(product)
  const browser = stranger(product)
  const again = (who: Visitor) => who.login(member.user?.username, PASSWORD)
  const first = await again(browser)
  const answers = [first]
  while (answers.length < 60 && answers.at(-1)?.status === 200) {
    // Without its cookies: a known browser is counted separately.
    answers.push(await again(new Visitor(product, 0, browser.headers)))
  }
  expect(answers).toHaveLength(6 * 4 + 1)
  expect(answers.at(-1)?.status).toBe(429)
  expect((await again(browser)).status).toBe(200)
  expect((await again(stranger(product))).status).toBe(200)
})
