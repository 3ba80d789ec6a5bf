import { expect, it } from 'vitest'
import { measuredConstants } from './costs.ts'
import { cpuOf, cpuPercentOf, messagesOf } from './member.ts'
import { needsOf } from './needs.ts'

const NO_CPU = { gateway: 0, postgres: 0, redis: 0, workers: 0 }
const costs = {
  unchanged: { ...NO_CPU, gateway: 10 },
  read: { ...NO_CPU, gateway: 60, postgres: 60 },
  command: NO_CPU,
  push: NO_CPU,
  credit: { ...NO_CPU, postgres: 1_200, workers: 120 },
}

it('a member who mines causes a credit each 20 minutes', () => {
  expect(cpuOf('mines', costs)).toEqual({ gateway: 0, postgres: 1, redis: 0, workers: 0.1 })
})

it('a member who polls sends a request each 5 s; one with a socket sends a fraction of that', () => {
  expect(messagesOf('poll')).toBeGreaterThan(2 / 5)
  expect(messagesOf('socket')).toBeLessThan(messagesOf('poll'))
  expect(cpuOf('poll', costs).gateway).toBeGreaterThan(cpuOf('socket', costs).gateway)
})

it('costs add up over members', () => {
  const members = { mines: 10_000, socket: 0, poll: 0 }
  expect(cpuPercentOf(members, costs).postgres).toBeCloseTo(1)
  expect(cpuPercentOf({ ...members, poll: 10_000 }, costs).gateway).toBeCloseTo(
    cpuOf('poll', costs).gateway,
  )
})

it('needs grow with the members, and the stored results have every constant', () => {
  const disk = { hot: 2_000, dayDetail: 18_000, dayRolled: 400, daySessions: 300 }
  const factors = { gateway: 3, postgres: 6, redis: 2 }
  const constants = measuredConstants()
  const [one, ten] = [1e6, 1e7].map((members) => needsOf(members, { constants, disk, factors }))
  expect(ten?.yearGb).toBe(10 * (one?.yearGb ?? 0))
  expect(ten?.gateways[0]).toBeGreaterThan(one?.gateways[0] ?? 0)
  expect(ten?.gateways[1]).toBeGreaterThan(ten?.gateways[0] ?? 0)
})
