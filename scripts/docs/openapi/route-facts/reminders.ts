import type { FactsOfRoutes } from './facts.ts'

export const REMINDER_ROUTES = {
  'GET /api/reminders': {
    tag: 'reminders',
    summary: 'Reads how the member is reminded when the 24 hours of a session end.',
    access: 'member',
    errors: [],
  },
  'POST /api/reminders/mail': {
    tag: 'reminders',
    summary: 'Switches reminders by mail on or off.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
  'POST /api/reminders/push': {
    tag: 'reminders',
    summary: 'Stores the push subscription of this browser; an earlier one of it is replaced.',
    access: 'member',
    idempotent: true,
    errors: ['push_unavailable', 'subscription_refused', 'too_many_requests'],
  },
  'POST /api/reminders/push/remove': {
    tag: 'reminders',
    summary: 'Deletes one push subscription of the member; one that is gone is answered the same.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
} satisfies FactsOfRoutes
