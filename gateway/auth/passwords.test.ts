import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hashPassword, hideDuration, passwordFits } from './passwords.ts'

it('work and failures of less than 250 ms are answered after 250 ms, longer work at its end', async () => {
  const order: string[] = []
  const settles = (name: string, work: Promise<unknown>) =>
    work.then(
      () => order.push(name),
      () => order.push(`${name} failed`),
    )
  const failing = async (ms: number) => {
    await sleep(ms)
    throw new Error('no mail')
  }
  // Timers of one process end in order, even on a busy machine.
  await Promise.all([
    settles('240 ms', sleep(240)),
    settles('short', hideDuration(sleep(1))),
    settles('long', hideDuration(sleep(200))),
    settles('long', hideDuration(failing(200))),
    settles('longer', hideDuration(sleep(300))),
    settles('350 ms', sleep(350)),
  ])
  expect(order).toEqual(['240 ms', 'short', 'long', 'long failed', 'longer', '350 ms'])
})

it('a full queue refuses unknown accounts at that moment only', async () => {
  const hashes = Array.from({ length: 300 }, () => hashPassword('x', { fastPasswords: true }))
  const first = passwordFits(undefined, 'x', { fastPasswords: true })
  await Promise.allSettled([...hashes, first])
  expect(await passwordFits(undefined, 'x', { fastPasswords: true })).toBe(false)
})

it('of a burst of passwords two are hashed at a time, 200 wait and the others are refused', async () => {
  const hashes = Array.from({ length: 300 }, () => hashPassword('x', { fastPasswords: true }))
  const results = await Promise.allSettled(hashes)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(202)
  expect(results.at(-1)).toMatchObject({ reason: { code: 'too_many_requests' } })
})
