import type { FactsOfRoutes } from './facts.ts'

export const TEAM_ROUTES = {
  'GET /api/referral/info': {
    tag: 'team',
    summary: 'Reads the referral code, the team and its milestones.',
    access: 'member',
    etag: true,
    errors: [],
  },
  'GET /api/referral/members': {
    tag: 'team',
    summary: 'Reads a further page of team members, newest first.',
    access: 'member',
    errors: [],
  },
  'GET /api/referral/mining': {
    tag: 'team',
    summary: 'Reads which direct members are mining now: their number, and the ids of the newest.',
    access: 'member',
    errors: [],
  },
  'GET /api/referral/check-milestones': {
    tag: 'team',
    summary: 'Pays the milestones that the team has reached. This GET changes state.',
    access: 'member',
    idempotent: true,
    errors: ['cross_site', 'too_many_requests'],
  },
  'POST /api/referral/generate-code': {
    tag: 'team',
    summary: 'Creates the referral code of the member, or returns the one that exists.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
  'POST /api/referral/apply-code': {
    tag: 'team',
    summary: 'Joins the team of a referral code; a refused code is answered with `success: false`.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
  },
} satisfies FactsOfRoutes
