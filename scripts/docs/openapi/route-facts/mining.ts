import type { FactsOfRoutes } from './facts.ts'

export const MINING_ROUTES = {
  'GET /api/mining/status': {
    tag: 'mining',
    summary: 'Reads the mining status.',
    access: 'member',
    etag: true,
    errors: [],
  },
  'POST /api/mining/start': {
    tag: 'mining',
    summary: 'Starts a mining session of 24 hours.',
    access: 'member',
    idempotent: true,
    errors: ['mining_active', 'session_quarantined', 'too_many_requests'],
  },
  'POST /api/mining/stop': {
    tag: 'mining',
    summary: 'Stops the running session; what it earned since the last credit becomes pending.',
    access: 'member',
    idempotent: true,
    errors: ['mining_inactive', 'session_quarantined', 'too_many_requests'],
  },
  'POST /api/mining/claim': {
    tag: 'mining',
    summary: 'Moves the pending rewards into the wallet.',
    access: 'member',
    idempotent: true,
    errors: ['nothing_to_claim', 'claim_cooldown', 'too_many_requests'],
  },
  'GET /api/mining/days': {
    tag: 'mining',
    summary: 'Reads what mining paid on each of the last seven UTC days, oldest first.',
    access: 'member',
    errors: [],
  },
} satisfies FactsOfRoutes
