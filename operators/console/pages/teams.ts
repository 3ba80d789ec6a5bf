import { type SuspiciousTeam, suspiciousTeams } from '#db/team/suspicious-teams'
import { evidenceLines, SUSPICIOUS } from '#db/team/team-evidence'
import { teamOf } from '#operators/actions/member-records'
import { idOfMember, memberFacts } from '#operators/actions/members'
import { html, type Value } from '#operators/console/html'
import type { Linked, PageRequest } from '#operators/console/page'
import {
  actionLink,
  type Column,
  FROZEN,
  facts,
  memberLink,
  pager,
  section,
  table,
  time,
} from '#operators/console/parts'
import { teamNow } from '#operators/ops/teams'

const lines = (texts: string[]): Value =>
  texts.length > 0
    ? html`<ul class="lines">${texts.map((text) => html`<li>${text}</li>`)}</ul>`
    : html`<p class="none">No evidence.</p>`

const COLUMNS: Column<SuspiciousTeam>[] = [
  ['Owner', ({ ownerId, username }) => html`<a href="/teams/${ownerId}">${username}</a>`],
  ['Members', ({ teamSize }) => String(teamSize), 'figure'],
  ['Score', ({ score }) => String(score), 'figure'],
  ['Evidence', ({ evidence }) => lines(evidenceLines(evidence))],
  ['Checked (UTC)', ({ checkedAt }) => time(checkedAt)],
]

export async function teamsPage({ db, query }: PageRequest): Promise<Value> {
  const { teams, next } = await suspiciousTeams(db, query('after') || undefined)
  return [
    html`<p>Workers look at a team a day after somebody joined it, and list it from a score of ${SUSPICIOUS}: by chance one honest team in ${2 ** SUSPICIOUS} looks so, and each point more halves that. Nothing happens by itself.</p>`,
    section('Waiting for a judgement', [
      table('Suspicious teams', teams, COLUMNS),
      pager('/teams', {}, next),
    ]),
  ]
}

const MEMBERS = 50

export async function teamPage(request: PageRequest): Promise<Linked> {
  const { db } = request
  const id = await idOfMember(db, `id:${request.param('id')}`)
  const [owner, team, members] = await Promise.all([
    memberFacts(db, id),
    teamNow(request, id),
    teamOf(db, id, MEMBERS),
  ])
  const freeze = (memberId: number, label: string) =>
    actionLink(request, 'members freeze', label, `id:${memberId}`)
  const code = owner.referralCode ? String(owner.referralCode) : undefined
  const actions = [
    code &&
      !owner.codeFrozenReason &&
      actionLink(request, 'codes freeze', 'Freeze the code…', code),
    !owner.frozenAt && !owner.deletedAt && freeze(id, 'Freeze the owner…'),
    actionLink(request, 'teams dismiss', 'It is honest…', `id:${id}`),
  ]
  const support = request.config.supportUrl
  return {
    title: `Team of ${owner.username}`,
    content: [
      section(
        'Now',
        [
          facts([
            ['Owner', memberLink(id, owner.username)],
            ['Code', code],
            ['Members', String(owner.teamSize)],
            ['Score', `${team.score} (listed from ${SUSPICIOUS})`],
            // None, for example, while Redis does not answer.
            ['Members with a known network', String(team.evidence.networkKnown)],
          ]),
          lines(evidenceLines(team.evidence)),
          Boolean(owner.codeFrozenReason) &&
            html`<p class="notice">The code is frozen: ${String(owner.codeFrozenReason)}</p>`,
        ],
        actions,
      ),
      html`<p class="hint">The owner reads the reason of a freeze${support ? html`, with the link ${support}` : '; SUPPORT_URL is not set, so no link beside it'}. Members who were counted stay counted.</p>`,
      section(
        `Newest direct members`,
        table('Members', members, [
          ['Member', ({ id, username }) => memberLink(id, username)],
          ['Signed up (UTC)', ({ joinedAt }) => time(joinedAt)],
          ['State', ({ frozenAt }) => frozenAt && FROZEN],
          ['Actions', (row) => !row.frozenAt && freeze(row.id, 'Freeze…')],
        ]),
      ),
    ],
  }
}
