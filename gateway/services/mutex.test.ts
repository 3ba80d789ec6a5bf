import { expect, it } from 'vitest'
import { Semaphore } from './mutex.ts'

it('a semaphore runs as many pieces of work as it is wide, and refuses what its queue has no room for', async () => {
  const semaphore = new Semaphore(2, 1)
  const started: number[] = []
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = (n: number) =>
    semaphore.run(async () => {
      started.push(n)
      await finished
      return n
    })
  const accepted = [work(1), work(2), work(3)]
  await expect(work(4)).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(started).toEqual([1, 2])
  finish()
  expect(await Promise.all(accepted)).toEqual([1, 2, 3])
  // Its room is free again.
  expect(await work(5)).toBe(5)
})
