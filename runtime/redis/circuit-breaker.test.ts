import { expect, it } from 'vitest'
import { CircuitBreaker, openBreakerError } from './fail-fast.ts'

const never = () => new Promise<never>(() => {})
const settle = () => new Promise((resolve) => setImmediate(resolve))

function failing(message: string): Promise<never> {
  return Promise.reject(new Error(message))
}

it.each([
  'Command timed out',
  'Reached the max retries per request limit (which is 1).',
  'Too many Cluster redirections. Last error: Error: Connection is closed.',
])('the breaker opens after "%s"', async (message) => {
  const breaker = new CircuitBreaker(() => false)
  breaker.watch(failing(message), never)
  await settle()
  expect(breaker.isClosed).toBe(false)
})

it('an error that the server answered leaves the breaker closed', async () => {
  const breaker = new CircuitBreaker(() => false)
  breaker.watch(failing('WRONGTYPE Operation against a key'), never)
  await settle()
  expect(breaker.isClosed).toBe(true)
})

it('a time-out shortly after an answer leaves the breaker closed', async () => {
  const breaker = new CircuitBreaker(() => false)
  breaker.watch(Promise.resolve(), never)
  await settle()
  breaker.watch(Promise.reject(openBreakerError()), never)
  await settle()
  expect(breaker.isClosed).toBe(true)
})

it('an open breaker probes until an answer and then closes', async () => {
  const breaker = new CircuitBreaker(() => false)
  let probes = 0
  breaker.watch(failing('Command timed out'), async () => {
    probes++
    if (probes < 2) throw openBreakerError()
  })
  await settle()
  expect(breaker.isClosed).toBe(false)
  await expect.poll(() => breaker.isClosed).toBe(true)
  expect(probes).toBe(2)
})

it('a closed connection ends the probes', async () => {
  let probes = 0
  const breaker = new CircuitBreaker(() => probes === 2)
  breaker.watch(failing('Command timed out'), () => {
    probes++
    return failing('Command timed out')
  })
  await expect.poll(() => probes).toBe(2)
  // Longer than the pause between two probes.
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(probes).toBe(2)
})
