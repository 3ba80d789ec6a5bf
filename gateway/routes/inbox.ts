import { INBOX_PAGE } from '#contract/routes'
import { markInboxRead, readInbox } from '#db/inbox/inbox'
import { command, routesOf, signedIn } from '#gateway/http/route'
import { polled } from '#gateway/not-modified/etag'

export const inboxRoutes = routesOf('inbox', {
  'GET /api/inbox': {
    summary: 'Reads one page of the inbox, newest first, and with the first one the announcements.',
    handle: signedIn(({ services, memberId, query }) =>
      readInbox(services.db, memberId, INBOX_PAGE, query.before),
    ),
  },
  'GET /api/inbox/state': {
    summary: 'Reads what is unread, and the announcements that have not ended.',
    etag: true,
    handle: polled('/api/inbox/state'),
  },
  'POST /api/inbox/read': {
    summary: 'Marks what the member has seen as read; a repetition changes nothing.',
    idempotent: true,
    handle: command(['inbox'], async ({ tx, memberId, body }) => {
      await markInboxRead(tx, memberId, body)
      return { success: true }
    }),
  },
})
