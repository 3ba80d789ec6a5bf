import { expect, it } from 'vitest'
import { interleave } from './measure.ts'

it('each round runs every shape once and starts with another shape', async () => {
  const order: string[] = []
  const shape = (name: string, value: number) => async () => {
    order.push(name)
    return value
  }
  const values = await interleave(
    { a: shape('a', 1), b: shape('b', 2), c: shape('c', 3) },
    { rounds: 3, warmUps: 0 },
  )
  expect(order.join('')).toBe('abcbcacab')
  expect(values).toEqual({ a: [1, 1, 1], b: [2, 2, 2], c: [3, 3, 3] })
})

it('warm-ups are not measured, and `before` runs before each measurement', async () => {
  const prepared: string[] = []
  let value = 0
  const values = await interleave(
    { a: async () => ++value },
    { rounds: 2, before: async (name) => void prepared.push(name) },
  )
  expect(values.a).toEqual([2, 3])
  expect(prepared).toHaveLength(3)
})
