import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  creditCount,
  type LedgerFactKind,
  ledgerId,
  ledgerIdLike,
  ledgerIdRegex,
  ledgerIdSql,
  parseLedgerId,
} from './ledger-id.ts'

/** One fact of each kind with its stored id: these texts are in databases and must not change. */
const STORED: Record<LedgerFactKind, { id: string; built: string; fields: object }> = {
  credit: {
    id: 'credit:71:3',
    built: ledgerId('credit', { sessionId: 71, n: 3 }),
    fields: { sessionId: '71', n: '3' },
  },
  creditRange: {
    id: 'credit:71:3-9',
    built: ledgerId('creditRange', { sessionId: 71, from: 3, to: 9 }),
    fields: { sessionId: '71', from: '3', to: '9' },
  },
  claim: {
    id: 'claim:7.12:TESP',
    built: ledgerId('claim', { memberId: 7, claim: 12, token: 'TESP' }),
    fields: { memberId: '7', claim: '12', token: 'TESP' },
  },
  task: {
    id: 'task:7:join_telegram',
    built: ledgerId('task', { memberId: 7, taskId: 'join_telegram' }),
    fields: { memberId: '7', taskId: 'join_telegram' },
  },
  dailyTask: {
    id: 'task:7:visit:2026-11-21',
    built: ledgerId('dailyTask', { memberId: 7, taskId: 'visit', day: '2026-11-21' }),
    fields: { memberId: '7', taskId: 'visit', day: '2026-11-21' },
  },
  repeatedTask: {
    id: 'task:7:visit:2026-11-21:2',
    built: ledgerId('repeatedTask', { memberId: 7, taskId: 'visit', day: '2026-11-21', n: 2 }),
    fields: { memberId: '7', taskId: 'visit', day: '2026-11-21', n: '2' },
  },
  milestone: {
    id: 'milestone:7:25:USDT',
    built: ledgerId('milestone', { memberId: 7, members: 25, token: 'USDT' }),
    fields: { memberId: '7', members: '25', token: 'USDT' },
  },
  correction: {
    id: 'correction:4',
    built: ledgerId('correction', { number: 4 }),
    fields: { number: '4' },
  },
}

it.each(Object.entries(STORED))('ledger ids of kind %s have their stored form', (kind, fact) => {
  expect(fact.built).toBe(fact.id)
  expect(parseLedgerId(fact.id)).toEqual({ kind, fields: fact.fields })
})

it.each([
  '',
  'credit',
  'credit:71',
  'credit:71:3:4',
  'credit:x:3',
  'credit:71:3-',
  'credit:71:-9',
  'credit:71:3-9-12',
  'claim:7:12:TESP',
  'claim:7.12:BTC',
  'task:7',
  'task:7:a:b',
  'gift:7',
  ' credit:71:3',
  'credit:71:3\n',
])('parseLedgerId rejects %j', (text) => {
  expect(parseLedgerId(text)).toBeUndefined()
})

it('parseLedgerId reverses ledgerId for any session and interval', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 72 }), (sessionId, n) => {
      expect(parseLedgerId(ledgerId('credit', { sessionId, n }))).toEqual({
        kind: 'credit',
        fields: { sessionId: String(sessionId), n: String(n) },
      })
    }),
  )
})

it('ledgerIdSql concatenates literals and columns in the order of the format', () => {
  expect(ledgerIdSql('credit', { sessionId: 's.id', n: 'i.n' })).toBe(
    `'credit:' || s.id || ':' || i.n`,
  )
  expect(ledgerIdSql('claim', { memberId: 'm', claim: 'c', token: `'TESP'` })).toBe(
    `'claim:' || m || '.' || c || ':' || 'TESP'`,
  )
})

it('ledgerIdRegex matches the ids of its kind only', () => {
  expect(ledgerIdRegex('credit')).toBe('^credit:\\d+:\\d+$')
  expect(ledgerIdRegex('creditRange')).toBe('^credit:\\d+:\\d+-\\d+$')
})

it('ledgerIdLike is the literal prefix of the format', () => {
  expect(ledgerIdLike('credit')).toBe('credit:%')
  expect(ledgerIdLike('claim')).toBe('claim:%')
  expect(ledgerIdLike('correction')).toBe('correction:%')
})

it.each([
  ['credit:71:3', 1],
  ['credit:71:3-9', 7],
  ['claim:7.12:TESP', 0],
  ['task:7:visit:2026-11-21', 0],
])('the row %s stands for %d automatic credits', (id, count) => {
  expect(creditCount(id)).toBe(count)
})
