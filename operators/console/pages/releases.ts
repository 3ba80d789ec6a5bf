import { minimumVersion } from '#db/app-info'
import { type Flag, listFlags, listVersions, type ReleaseRow } from '#operators/actions/releases'
import { html } from '#operators/console/html'
import type { Page } from '#operators/console/page'
import { actionLink, section, table, time } from '#operators/console/parts'

/** Members whose ids fit into the address of a link: proxies refuse one of more than 8 KiB. */
const MOST_IN_A_LINK = 500

export const releasesPage: Page = {
  path: '/releases',
  nav: 'Flags and versions',
  async show(request) {
    const { db } = request.services
    const [flags, versions, minimum] = await Promise.all([
      listFlags(db),
      listVersions(db),
      minimumVersion(db),
    ])
    const actions = ({ name, enabled, enabledForUsers, requiredVersion }: Flag) => {
      const args = [name]
      const turn = enabled
        ? actionLink(request, 'flags off', { args, label: 'Turn off…' })
        : actionLink(request, 'flags on', { args, label: 'Turn on…' })
      // The list is replaced as a whole.
      const members = { arg1: enabledForUsers.map((id) => `id:${id}`).join(' ') }
      const forMembers =
        enabledForUsers.length > MOST_IN_A_LINK
          ? 'Its members are changed on a terminal: ops flags for'
          : actionLink(request, 'flags for', { args, values: members, label: 'For members…' })
      const version = { arg1: requiredVersion ?? '' }
      return html`<span class="actions">${turn} ${forMembers}
${actionLink(request, 'flags require', { args, values: version, label: 'For newer clients…' })}</span>`
    }
    const state = ({ enabled, enabledForUsers }: Flag) => {
      if (enabled) return html`<span class="tag good">on</span>`
      return enabledForUsers.length > 0 ? `on for ${enabledForUsers.length} members` : 'off'
    }
    return {
      title: 'Flags and versions',
      content: [
        section(
          'Feature flags',
          table<Flag>(
            'Feature flags',
            [
              { head: 'Flag', show: ({ name }) => html`<b>${name}</b>` },
              { head: 'State', show: state },
              {
                head: 'Clients',
                show: ({ requiredVersion: from }) => (from ? `${from} or newer` : 'any'),
              },
              { head: 'Actions', show: actions },
            ],
            flags,
          ),
        ),
        section(
          'Versions of the client',
          [
            html`<p>${minimum === null ? 'Any client is accepted.' : html`Clients older than <b>${minimum}</b> are asked to reload.`}</p>`,
            table<ReleaseRow>(
              'Versions',
              [
                { head: 'Version', show: ({ version }) => html`<b>${version}</b>` },
                { head: 'Minimum', show: (row) => row.minimum },
                { head: 'Recorded (UTC)', show: ({ releasedAt }) => time(releasedAt) },
              ],
              versions,
            ),
          ],
          [
            actionLink(request, 'versions set', { label: 'Record a version…' }),
            minimum !== null &&
              actionLink(request, 'versions lift', { label: 'Lift the minimum…', isGrave: true }),
          ],
        ),
      ],
    }
  },
}
