import { listAnnouncements } from '#db/inbox/announcements'
import { announcementValues } from '#operators/console/content-forms'
import { html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { actionLink, section, table, time } from '#operators/console/parts'
import type { Announcement } from '#rules/inbox'

const ROWS = 50

export async function announcementsPage(request: PageRequest): Promise<Value> {
  const rows = await listAnnouncements(request.db, ROWS)
  const now = new Date().toISOString()
  const isOpen = ({ until }: Announcement) => until > now
  const actions = (row: Announcement) => {
    if (!isOpen(row)) return html`<span class="tag">ended</span>`
    return html`<span class="actions">${actionLink(request, 'announcements edit', 'Change…', row.id, announcementValues(row))}
${actionLink(request, 'announcements end', 'End…', row.id)}</span>`
  }
  return section(
    'Newest first',
    table('Announcements', rows, [
      ['Kind', ({ kind }) => html`<span class="tag">${kind}</span>`],
      ['English', ({ texts }) => texts.en],
      ['Tiếng Việt', ({ texts }) => html`<span lang="vi">${texts.vi}</span>`],
      ['From (UTC)', ({ from }) => time(new Date(from))],
      ['Until (UTC)', ({ until }) => time(new Date(until))],
      ['Actions', actions],
    ]),
    actionLink(request, 'announcements add', 'Announce…'),
  )
}
