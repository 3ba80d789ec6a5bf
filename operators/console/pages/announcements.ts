import { listAnnouncements } from '#db/inbox/announcements'
import { announcementValues } from '#operators/console/content-forms'
import { html } from '#operators/console/html'
import type { Page } from '#operators/console/page'
import { actionLink, section, table, time } from '#operators/console/parts'
import type { Announcement } from '#rules/inbox'

const ROWS = 50

export const announcementsPage: Page = {
  path: '/announcements',
  nav: 'Announcements',
  async show(request) {
    const rows = await listAnnouncements(request.services.db, ROWS)
    const now = new Date().toISOString()
    const isOpen = ({ until }: Announcement) => until > now
    const actions = (row: Announcement) => {
      if (!isOpen(row)) return html`<span class="tag">ended</span>`
      const args = [String(row.id)]
      return html`<span class="actions">${actionLink(request, 'announcements edit', { args, values: announcementValues(row), label: 'Change…' })}
${actionLink(request, 'announcements end', { args, label: 'End…', isGrave: true })}</span>`
    }
    return {
      title: 'Announcements',
      content: section(
        'Newest first',
        table<Announcement>(
          'Announcements',
          [
            { head: 'Kind', show: ({ kind }) => html`<span class="tag">${kind}</span>` },
            { head: 'English', show: ({ texts }) => texts.en },
            { head: 'Tiếng Việt', show: ({ texts }) => html`<span lang="vi">${texts.vi}</span>` },
            { head: 'From (UTC)', show: ({ from }) => time(new Date(from)) },
            { head: 'Until (UTC)', show: ({ until }) => time(new Date(until)) },
            { head: 'Actions', show: actions },
          ],
          rows,
        ),
        actionLink(request, 'announcements add', { label: 'Announce…' }),
      ),
    }
  },
}
