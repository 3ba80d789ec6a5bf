import { INBOX_PAGE } from '#contract/routes'
import { markInboxRead, readInbox } from '#db/inbox/inbox'
import { command, type Routes, signedIn } from '#gateway/http/route'
import { polled } from '#gateway/not-modified/etag'

/** What happened to the member, and what operators tell all members. */

const page = signedIn<'GET /api/inbox'>(({ services, memberId, query }) =>
  readInbox(services.db, memberId, INBOX_PAGE, query.before),
)

const state = polled('/api/inbox/state')

const read = command<'POST /api/inbox/read'>(['inbox'], async ({ tx, memberId, body }) => {
  await markInboxRead(tx, memberId, body)
  return { success: true }
})

export const inboxRoutes = {
  'GET /api/inbox': {
    tag: 'inbox',
    summary: 'Reads one page of the inbox, newest first, and with the first one the announcements.',
    access: 'member',
    handle: page,
  },
  'GET /api/inbox/state': {
    tag: 'inbox',
    summary: 'Reads what is unread, and the announcements that have not ended.',
    access: 'member',
    etag: true,
    handle: state,
  },
  'POST /api/inbox/read': {
    tag: 'inbox',
    summary: 'Marks what the member has seen as read; a repetition changes nothing.',
    access: 'member',
    idempotent: true,
    errors: ['too_many_requests'],
    handle: read,
  },
} satisfies Partial<Routes>
