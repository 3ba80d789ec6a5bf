import type { DayFigures } from '#db/daily-figures'
import { invitationsOn, type Overview, readOverview } from '#operators/actions/overview'
import { html, type Value } from '#operators/console/html'
import type { Page, PageRequest } from '#operators/console/page'
import { actionLink, section, table, time } from '#operators/console/parts'
import { sparkline } from '#operators/console/sparkline'
import { ALL_MAILS } from '#operators/ops/mails'
import { statusCommands } from '#operators/ops/status'
import { DAY_MS, SECOND_MS } from '#rules/constants'
import { listed } from './queues.ts'

const UNKNOWN = '–'
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const said = (format: Intl.NumberFormat, value: number | null) =>
  value === null ? UNKNOWN : format.format(value)

/** The part of a day that was counted, s. */
const secondsOf = ({ day, at }: DayFigures) =>
  Math.min(DAY_MS, Math.max(SECOND_MS, at.getTime() - Date.parse(day))) / SECOND_MS
const share = (part: number | null, of: number) => (part === null || of === 0 ? null : part / of)

type Figure = {
  name: string
  hint: string
  now: (now: Overview) => number | null
  day: (day: DayFigures) => number | null
  format: Intl.NumberFormat
  unit?: string
  isBad?: (value: number) => boolean
  remedy?: (request: PageRequest) => Value
}

const FIGURES: Figure[] = [
  {
    name: 'Credit lag',
    hint: 'since the oldest due credit; largest of a day',
    now: ({ creditLagSeconds }) => creditLagSeconds,
    day: ({ creditLag }) => creditLag,
    format: whole,
    unit: ' s',
    isBad: (seconds) => seconds > 60,
  },
  {
    name: 'Active sessions',
    hint: 'most of a day',
    now: ({ activeSessions }) => activeSessions,
    day: ({ activeSessions }) => activeSessions,
    format: whole,
  },
  {
    name: 'Credits a second',
    hint: 'mean of a day',
    now: ({ creditsPerSecond }) => creditsPerSecond,
    day: (figures) => share(figures.credits, secondsOf(figures)),
    format: fine,
  },
  {
    name: 'Sign-ups today',
    hint: 'of each UTC day',
    now: ({ signUpsToday }) => signUpsToday,
    day: ({ signUps }) => signUps,
    format: whole,
  },
  {
    name: 'Back after one day',
    hint: 'of those who signed up, started a session the day after',
    now: ({ backAfterOneDay }) => backAfterOneDay,
    day: ({ backAfterOneDay, signUps }) => share(backAfterOneDay, signUps),
    format: percent,
  },
  {
    name: 'Back after seven days',
    hint: 'of those who signed up, started a session on the seventh day after',
    now: ({ backAfterSevenDays }) => backAfterSevenDays,
    day: ({ backAfterSevenDays, signUps }) => share(backAfterSevenDays, signUps),
    format: percent,
  },
  {
    name: 'Invitations a member',
    hint: 'members who joined a team for each member',
    now: ({ invitationsPerMember }) => invitationsPerMember,
    day: invitationsOn,
    format: fine,
  },
  {
    name: 'Failed mails',
    hint: 'of the last day and not rejected for good; all of each day',
    now: ({ mailsToRetry }) => mailsToRetry,
    day: ({ mailsFailed }) => mailsFailed,
    format: whole,
    isBad: (mails) => mails > 0,
    remedy: (request) =>
      actionLink(request, 'mail retry', { args: [ALL_MAILS], label: 'Send all again…' }),
  },
]

function tile(
  request: PageRequest,
  { name, hint, now, day, format, unit = '', isBad, remedy }: Figure,
  figures: Overview,
  days: DayFigures[],
) {
  const value = now(figures)
  const values = days.map(day)
  const known = values.filter((each) => each !== null)
  const label =
    known.length > 0
      ? `${name}, ${known.length} days: from ${format.format(Math.min(...known))}${unit} to ${format.format(Math.max(...known))}${unit}`
      : ''
  const bad = value !== null && isBad?.(value)
  const act = bad && remedy?.(request)
  return html`<li class="tile"><h2>${name}</h2>
<p class="now${bad && ' bad'}">${said(format, value)}${value !== null && unit}</p>
${sparkline(values, label) || html`<p class="none">No day was counted yet.</p>`}
<p class="hint">${hint}</p>${act && html`<p class="pager">${act}</p>`}</li>`
}

const COLUMNS = [
  { head: 'Day (UTC)', show: ({ day }: DayFigures) => day },
  ...FIGURES.map(({ name, day, format, unit = '' }) => ({
    head: name.replace(' today', ''),
    show: (row: DayFigures): Value => {
      const value = day(row)
      return value === null ? UNKNOWN : `${format.format(value)}${unit}`
    },
    isFigure: true,
  })),
]

export const overviewPage: Page = {
  path: '/overview',
  nav: 'Overview',
  async show(request) {
    const [{ now, days }, waiting] = await Promise.all([
      readOverview(request.services.db),
      listed(request, 'Queues', statusCommands.queues),
    ])
    return {
      title: 'Overview',
      content: [
        html`<ul class="tiles">${FIGURES.map((figure) => tile(request, figure, now, days))}</ul>`,
        html`<p class="hint">Workers counted last at ${time(now.countedAt)} UTC. Lines begin at 0.</p>`,
        section('Queues', waiting),
        html`<details class="panel"><summary>The 30 days as a table</summary>${table('Days', COLUMNS, days.toReversed())}</details>`,
      ],
    }
  },
}
