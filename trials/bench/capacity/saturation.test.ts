import { expect, it } from 'vitest'
import { saturated } from './saturation.ts'

it('a full event loop saturates before the cores do', () => {
  expect(saturated({ gateway: 94, Postgres: 30 }, 2)).toBe(
    'the event loop of the gateway (gateway 94 %, Postgres 30 %)',
  )
})

it('the cores are saturated if no event loop is full', () => {
  expect(saturated({ gateway: 60, Postgres: 120, Redis: 5 }, 2)).toBe(
    'all 2 cores (Postgres 120 %, gateway 60 %, Redis 5 %)',
  )
})

it('nothing is saturated while cores are idle', () => {
  expect(saturated({ gateway: 40, Postgres: 20 }, 2)).toBe('nothing (gateway 40 %, Postgres 20 %)')
})
