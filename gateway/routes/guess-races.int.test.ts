import { beforeAll, expect, it } from 'vitest'
import { newIp, stranger } from '#scripts/testing/gateway/strangers'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

// Passwords are hashed as in production: guesses that wait for their hash pass limits together.
const product = useProduct({
  gateways: 2,
  env: { TRUSTED_PROXIES: '127.0.0.1', FAST_PASSWORDS: 'off' },
})
let username: string

beforeAll(async () => {
  username = (await stranger(product).register()).username
})

const login = (visitor: Visitor, password: string) =>
  visitor.call('POST /api/login', { body: { identifier: username, password } })

it('16 parallel guesses from one IP address get at most ten answers', async () => {
  const visitor = stranger(product)
  const guesses = Array.from({ length: 16 }, (_, i) =>
    login(visitor, i === 15 ? PASSWORD : `guess ${i}`),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  const answered = statuses.filter((status) => status !== 429)
  expect(answered.length).toBeGreaterThan(0)
  expect(answered.length).toBeLessThanOrEqual(10)
})

it('40 parallel guesses from 40 IP addresses get at most 20 answers', async () => {
  username = (await stranger(product).register()).username
  const guesses = Array.from({ length: 40 }, (_, i) =>
    login(stranger(product, newIp(), i % 2), `guess ${i}`),
  )
  const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
  expect(codes.filter((code) => code === 'wrong_credentials')).toHaveLength(20)
  expect(codes.filter((code) => code === 'otp_required')).toHaveLength(20)
})
