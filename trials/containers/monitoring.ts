import { TOTP } from 'otpauth'
import { ALERTS, PANELS } from '#operators/monitoring/testing/monitoring-files'
import type { Stack } from '#trials/containers/stack'
import type { TrialReport } from '#trials/kit/report'
import type { Trial } from '#trials/kit/trial'
import { until } from '#trials/kit/until'
import { whileRunning } from './members.ts'
import { MEMBERS } from './steps.ts'

const PASSWORD = 'a password of an operator'

/** Invites an operator with the command of docs/containers.md; returns the link. */
async function invite(stack: Stack): Promise<string> {
  const args = ['operators', 'invite', 'ada', 'owner', '--reason', 'runs the service', '--yes']
  const printed = await stack.compose('run', '--rm', '-T', 'ops', ...args)
  return /^http\S+$/m.exec(printed)?.[0] ?? ''
}

async function checkConsole(report: TrialReport, stack: Stack): Promise<void> {
  const origin = `http://127.0.0.1:${stack.project.ports.console}`
  const post = (url: string, fields: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: origin },
      body: new URLSearchParams(fields),
    })
  const link = await invite(stack)
  const key = /<code>([A-Z2-7 ]+)</.exec(await (await fetch(link)).text())?.[1] ?? ''
  const app = new TOTP({ secret: key.replaceAll(' ', '') })
  const accepted = await post(link, { password: PASSWORD, code: app.generate() })
  const signIn = (code: string) =>
    post(`${origin}/sign-in`, { name: 'ada', password: PASSWORD, code })
  // A code works once, and the next one is accepted early.
  const nextCode = app.generate({ timestamp: Date.now() + app.period * 1_000 })
  const [wrong, right] = [await signIn('000000'), await signIn(nextCode)]
  const cookies = right.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const overview = await fetch(origin, { headers: { Cookie: cookies.join('; ') } })
  const text = await overview.text()
  const elsewhere = await fetch(`${origin.replace('127.0.0.1', 'localhost')}/sign-in`)
  report.expect('console: accepted invitation', accepted.status, 303)
  report.expect('console: sign-in with a wrong code', wrong.status, 401)
  report.expect('console: sign-in with password and code', right.status, 303)
  report.expect('console: first page', new URL(overview.url).pathname, '/overview')
  report.expect('console: its figures', /Credit lag/.test(text) && /sweep-credits/.test(text), true)
  report.expect('console: page under another host name', elsewhere.status, 421)
}

type Target = { labels: { job: string }; health: string; lastError: string }
type Rule = { name: string; health: string }
type Sample = { value: [number, string] }

export class Prometheus {
  constructor(private readonly port: number) {}

  async targets(): Promise<Target[]> {
    const { activeTargets } = await this.get<{ activeTargets: Target[] }>('targets?state=active')
    return activeTargets
  }

  async rules(): Promise<Rule[]> {
    const { groups } = await this.get<{ groups: { rules: Rule[] }[] }>('rules?type=alert')
    return groups.flatMap(({ rules }) => rules)
  }

  /** Values that are not numbers are left out. */
  async values(expr: string): Promise<number[]> {
    const { result } = await this.get<{ result: Sample[] }>(
      `query?query=${encodeURIComponent(expr)}`,
    )
    return result.map(({ value: [, text] }) => Number(text)).filter(Number.isFinite)
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/${path}`)
    const { data, error } = (await response.json()) as { data: T; error?: string }
    if (!response.ok) throw new Error(`Prometheus refused ${path}: ${error}`)
    return data
  }
}

/** What Grafana puts in: the longer of four scrapes and the distance of two points. */
const RATE_INTERVAL = '1m'

export async function targetProblems(
  prometheus: Prometheus,
  expected: Record<string, number>,
): Promise<string[]> {
  const targets = await prometheus.targets()
  const missing = Object.entries(expected).flatMap(([job, count]) => {
    const found = targets.filter(({ labels }) => labels.job === job).length
    return found === count ? [] : [`${job}: ${found} targets, expected ${count}`]
  })
  const down = targets.filter(({ health }) => health !== 'up')
  return [
    ...missing,
    ...down.map(
      ({ labels, health, lastError }) => `target of ${labels.job}: ${health} ${lastError}`,
    ),
  ]
}

export async function ruleProblems(prometheus: Prometheus): Promise<string[]> {
  const rules = await prometheus.rules()
  const health = new Map(rules.map(({ name, health }) => [name, health]))
  return ALERTS.flatMap(({ alert }) =>
    health.get(alert) === 'ok' ? [] : [`alert ${alert}: ${health.get(alert) ?? 'not loaded'}`],
  )
}

/** Panels of the dashboard without a value for any query. */
async function panelProblems(prometheus: Prometheus): Promise<string[]> {
  const problems: string[] = []
  for (const { title, targets } of PANELS) {
    if (!targets) continue
    const answers = targets.map(({ expr }) =>
      prometheus.values(expr.replaceAll('$__rate_interval', RATE_INTERVAL)),
    )
    const values = (await Promise.all(answers)).flat()
    if (values.length === 0) problems.push(`the panel "${title}" has no data`)
  }
  return problems
}

/** Rates need two scrapes, which are 15 s apart; rules are loaded within one evaluation. */
const LIMITS = { limitMs: 120_000, pauseMs: 5_000 }

export function checkProfiles({ report }: Trial): Promise<void> {
  return whileRunning(['mail', 'prometheus', 'console'], async ({ stack, members }) => {
    await report.step('journey', () => members.call('journey'), String)
    await checkConsole(report, stack)
    await members.call('start', MEMBERS)
    const prometheus = new Prometheus(stack.project.ports.prometheus)
    let problems: string[] = []
    const hasData = async () => {
      problems = [
        ...(await targetProblems(prometheus, { gateway: 2, workers: 2 })),
        ...(await ruleProblems(prometheus)),
        ...(await panelProblems(prometheus)),
      ]
      return problems.length === 0
    }
    const logs = async () => problems.join('\n')
    await report.step('targets, rules and panels have data', () =>
      until('no problem', hasData, { ...LIMITS, logs }),
    )
    report.check('requests that failed for good', (await members.call('step')).problems)
    report.check('violated rules', await members.call('stop'))
  })
}
