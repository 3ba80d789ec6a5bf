import { ALERTS, PANELS } from '#operators/monitoring/testing/monitoring-files'
import type { Prometheus } from './prometheus.ts'

/** What Grafana puts in: the longer of four scrapes and the distance of two points. */
const RATE_INTERVAL = '1m'

/** Jobs without the expected number of targets, and targets that cannot be scraped. */
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

/** Alerts that Prometheus has not loaded or cannot evaluate. */
export async function ruleProblems(prometheus: Prometheus): Promise<string[]> {
  const rules = await prometheus.rules()
  const health = new Map(rules.map(({ name, health }) => [name, health]))
  return ALERTS.flatMap(({ alert }) =>
    health.get(alert) === 'ok' ? [] : [`alert ${alert}: ${health.get(alert) ?? 'not loaded'}`],
  )
}

/** Panels of the dashboard none of whose queries has a value. */
export async function panelProblems(prometheus: Prometheus): Promise<string[]> {
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
