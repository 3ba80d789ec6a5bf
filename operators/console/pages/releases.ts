import { minimumVersion } from '#db/app-info'
import { type Flag, listFlags, listVersions } from '#operators/actions/releases'
import { html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { actionLink, section, table, time } from '#operators/console/parts'

/** Members whose ids fit into the address of a link: proxies refuse one of more than 8 KiB. */
const MOST_IN_A_LINK = 500

export async function releasesPage(request: PageRequest): Promise<Value> {
  const { db } = request
  const [flags, versions, minimum] = await Promise.all([
    listFlags(db),
    listVersions(db),
    minimumVersion(db),
  ])
  const actions = ({ name, enabled, enabledForUsers, requiredVersion }: Flag) => {
    const turn = enabled
      ? actionLink(request, 'flags off', 'Turn off…', name)
      : actionLink(request, 'flags on', 'Turn on…', name)
    // The list is replaced as a whole.
    const members = { arg1: enabledForUsers.map((id) => `id:${id}`).join(' ') }
    const forMembers =
      enabledForUsers.length > MOST_IN_A_LINK
        ? 'Its members are changed on a terminal: ops flags for'
        : actionLink(request, 'flags for', 'For members…', name, members)
    const version = { arg1: requiredVersion ?? '' }
    return html`<span class="actions">${turn} ${forMembers}
${actionLink(request, 'flags require', 'For newer clients…', name, version)}</span>`
  }
  const state = ({ enabled, enabledForUsers }: Flag) => {
    if (enabled) return html`<span class="tag good">on</span>`
    return enabledForUsers.length > 0 ? `on for ${enabledForUsers.length} members` : 'off'
  }
  return [
    section(
      'Feature flags',
      table('Feature flags', flags, [
        ['Flag', ({ name }) => html`<b>${name}</b>`],
        ['State', state],
        ['Clients', ({ requiredVersion: from }) => (from ? `${from} or newer` : 'any')],
        ['Actions', actions],
      ]),
    ),
    section(
      'Versions of the client',
      [
        html`<p>${minimum === null ? 'Any client is accepted.' : html`Clients older than <b>${minimum}</b> are asked to reload.`}</p>`,
        table('Versions', versions, [
          ['Version', ({ version }) => html`<b>${version}</b>`],
          ['Minimum', (row) => row.minimum],
          ['Recorded (UTC)', ({ releasedAt }) => time(releasedAt)],
        ]),
      ],
      [
        actionLink(request, 'versions set', 'Record a version…'),
        minimum !== null && actionLink(request, 'versions lift', 'Lift the minimum…'),
      ],
    ),
  ]
}
