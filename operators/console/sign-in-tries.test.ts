import { RateLimiterMemory } from 'rate-limiter-flexible'
import { expect, it, onTestFinished, vi } from 'vitest'
import { SignInTries, TRIES } from './sign-in-tries.ts'

it('an address that has to wait fills the memory with no more names', async () => {
  const tries = new SignInTries()
  const take = (name: string) => tries.take({ name, ip: '203.0.113.9', known: undefined })
  for (let n = 0; n < TRIES.address.points; n++) expect(await take(`name ${n}`)).toBe(true)
  const consume = vi.spyOn(RateLimiterMemory.prototype, 'consume')
  onTestFinished(() => consume.mockRestore())
  expect(await take('another name')).toBe(false)
  expect(consume.mock.calls).toEqual([['203.0.113.9']])
})
