import type { FactsOfRoutes } from './facts.ts'

/** Tasks, figures of the network and what all screens share. */
export const PRODUCT_ROUTES = {
  'GET /api/network': {
    tag: 'network',
    summary: 'Reads the figures of the network.',
    access: 'member',
    errors: [],
  },
  'GET /api/tasks/completed': {
    tag: 'tasks',
    summary: 'Lists the completed tasks.',
    access: 'member',
    errors: [],
  },
  'POST /api/tasks/complete': {
    tag: 'tasks',
    summary: 'Completes a task and pays its reward.',
    access: 'member',
    idempotent: true,
    errors: ['task_unknown', 'task_claimed', 'too_many_requests'],
  },
  'POST /api/commands/cancel': {
    tag: 'app',
    summary:
      'Spends the key of a command whose outcome is unknown: `cancelled: false` if it took effect before, otherwise it never does.',
    access: 'member',
    errors: ['too_many_requests'],
  },
  'GET /api/app': {
    tag: 'app',
    summary: 'Reads the feature flags, the minimum client version and the pages of the tasks.',
    access: 'anyone',
    errors: [],
  },
} satisfies FactsOfRoutes
