import type { FactsOfRoutes } from './facts.ts'

/** Balances, the ledger and its proofs. */
export const WALLET_ROUTES = {
  'GET /api/wallet': {
    tag: 'wallet',
    summary: 'Reads the balances.',
    access: 'member',
    etag: true,
    errors: [],
  },
  'GET /api/wallet/activity': {
    tag: 'wallet',
    summary: 'Reads one page of the ledger, newest first.',
    access: 'member',
    errors: [],
  },
  'GET /api/wallet/activity/sums': {
    tag: 'wallet',
    summary: 'Sums the rows of the ledger behind a cursor, from a time on.',
    access: 'member',
    errors: [],
  },
  'GET /api/wallet/statement': {
    tag: 'wallet',
    summary: 'Downloads the ledger of a period as CSV, oldest row first.',
    access: 'member',
    errors: ['too_many_requests'],
  },
  'GET /api/wallet/credits': {
    tag: 'wallet',
    summary:
      'Reads the automatic credits that a row of the ledger stands for, newest first; none for any other row.',
    access: 'member',
    errors: [],
  },
  'GET /api/ledger/receipt': {
    tag: 'wallet',
    summary:
      'Reads a row of the ledger with the proof that the seal of its day contains it; null until then.',
    access: 'member',
    errors: [],
  },
  'GET /api/ledger/roots': {
    tag: 'wallet',
    summary: 'Reads the seals of the ledger in the order of their chain, at most 1,000.',
    access: 'anyone',
    errors: ['too_many_requests'],
  },
} satisfies FactsOfRoutes
