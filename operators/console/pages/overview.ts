import type { DayFigures } from '#db/daily-figures'
import { invitationsOn, type Overview, readOverview } from '#operators/actions/overview'
import { type Html, html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { actionLink, type Column, section, table, time, UNKNOWN } from '#operators/console/parts'
import { ALL_MAILS } from '#operators/ops/mails'
import { statusCommands } from '#operators/ops/status'
import { DAY_MS, SECOND_MS } from '#rules/constants'
import { listed } from './queues.ts'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** The part of a day that was counted, s. */
const secondsOf = ({ day, at }: DayFigures) =>
  Math.min(DAY_MS, Math.max(SECOND_MS, at.getTime() - Date.parse(day))) / SECOND_MS
const share = (part: number | null, of: number) => (part === null || of === 0 ? null : part / of)

type Figure = {
  name: string
  hint: string | ((now: Overview) => string)
  now: (now: Overview) => number | null
  day: (day: DayFigures) => number | null
  format: Intl.NumberFormat
  unit?: string
  isBad?: (now: Overview) => boolean
  remedy?: (request: PageRequest, now: Overview) => Value
}

/** Rejected mails of a day that are more than a few mistyped addresses. */
const MANY_REJECTED = 10

const FIGURES: Figure[] = [
  {
    name: 'Credit lag',
    hint: 'since the oldest due credit; largest of a day',
    now: ({ creditLagSeconds }) => creditLagSeconds,
    day: ({ creditLag }) => creditLag,
    format: whole,
    unit: ' s',
    isBad: ({ creditLagSeconds }) => creditLagSeconds > 60,
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
    hint: ({ mailsRejected }) =>
      `of the last day, ${mailsRejected} of them rejected for good; all of each day`,
    now: ({ mailsToRetry, mailsRejected }) => mailsToRetry + mailsRejected,
    day: ({ mailsFailed }) => mailsFailed,
    format: whole,
    isBad: ({ mailsToRetry, mailsRejected }) => mailsToRetry > 0 || mailsRejected > MANY_REJECTED,
    remedy: (request, { mailsToRetry }) =>
      mailsToRetry > 0 && actionLink(request, 'mail retry', 'Send again…', ALL_MAILS),
  },
]

const WIDTH = 240
const HEIGHT = 48
/** Room for the width of the line. */
const EDGE = 3

const round = (value: number) => Math.round(value * 10) / 10

/** The last value is a dot. Drawn with attributes, because the policy of the pages forbids inline styles. */
function sparkline(values: (number | null)[], label: string): Html | undefined {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return undefined
  const top = Math.max(...known, Number.MIN_VALUE)
  const points = values.map((value, at) => {
    if (value === null) return undefined
    const x = EDGE + (at * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1)
    const y = HEIGHT - EDGE - (value * (HEIGHT - 2 * EDGE)) / top
    return `${round(x)} ${round(y)}`
  })
  // A day that nothing counted is a gap, not a zero.
  const line = points.map((point, at) => point && `${points[at - 1] ? 'L' : 'M'}${point}`)
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
<path d="${line}"/>
<path class="last" d="M${points.findLast(Boolean)}h0"/></svg>`
}

const said = ({ format, unit = '' }: Figure, value: number | null): string =>
  value === null ? UNKNOWN : `${format.format(value)}${unit}`

function tile(request: PageRequest, figure: Figure, figures: Overview, days: DayFigures[]) {
  const { name, hint, now, day, isBad, remedy } = figure
  const values = days.map(day)
  const known = values.filter((each) => each !== null)
  const label = `${name}, ${known.length} days: from ${said(figure, Math.min(...known))} to ${said(figure, Math.max(...known))}`
  const bad = isBad?.(figures)
  const act = bad && remedy?.(request, figures)
  return html`<li class="tile"><h2>${name}</h2>
<p class="now${bad && ' bad'}">${said(figure, now(figures))}</p>
${sparkline(values, label) || html`<p class="none">No day was counted yet.</p>`}
<p class="hint">${typeof hint === 'string' ? hint : hint(figures)}</p>${act && html`<p class="pager">${act}</p>`}</li>`
}

const COLUMNS: Column<DayFigures>[] = [
  ['Day (UTC)', ({ day }) => day],
  ...FIGURES.map((figure): Column<DayFigures> => {
    return [figure.name.replace(' today', ''), (row) => said(figure, figure.day(row)), 'figure']
  }),
]

export async function overviewPage(request: PageRequest): Promise<Value> {
  const [{ now, days }, waiting] = await Promise.all([
    readOverview(request.db),
    listed(request, 'Queues', statusCommands.queues),
  ])
  return [
    html`<ul class="tiles">${FIGURES.map((figure) => tile(request, figure, now, days))}</ul>`,
    html`<p class="hint">Workers counted last at ${time(now.countedAt)} UTC. Lines begin at 0.</p>`,
    section('Queues', waiting),
    html`<details class="panel"><summary>The 30 days as a table</summary>${table('Days', days.toReversed(), COLUMNS)}</details>`,
  ]
}
