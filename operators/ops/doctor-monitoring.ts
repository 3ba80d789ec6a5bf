import { ANSWER_MS, type Check, check, ok, wrong } from './finding.ts'

type Target = { labels: { job: string }; health: string; scrapeUrl: string }
type Rule = { name: string; state: string; annotations: { action?: string } }
type Answer = {
  targets: { activeTargets: Target[] }
  rules: { groups: { name: string; rules: Rule[] }[] }
  alertmanagers: { activeAlertmanagers: { url: string }[] }
}

/** Undefined if nothing answers. */
async function ask<Name extends keyof Answer>(
  prometheusUrl: string,
  name: Name,
  query = '',
): Promise<Answer[Name] | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const answer = await fetch(`${prometheusUrl}/api/v1/${name}${query}`, { signal }).catch(() => {})
  if (!answer) return undefined
  if (!answer.ok) throw new Error(`${prometheusUrl} answers ${answer.status}`)
  return ((await answer.json()) as { data: Answer[Name] }).data
}

const noPrometheus = (url: string) =>
  check(`no Prometheus at ${new URL(url).host}`, 'docs/monitoring.md, or set PROMETHEUS_URL')

export const metrics: Check = async ({ config: { prometheusUrl } }) => {
  const found = await ask(prometheusUrl, 'targets', '?state=active')
  if (!found) return noPrometheus(prometheusUrl)
  const of = (job: string) => found.activeTargets.filter(({ labels }) => labels.job === job)
  const missing = ['gateway', 'workers'].filter((job) => of(job).length === 0)
  if (missing.length > 0) {
    return wrong(`no ${missing.join(' and no ')} is scraped`, 'name their ports in prometheus.yml')
  }
  const [gateways, workers] = [of('gateway'), of('workers')]
  const down = [...gateways, ...workers].filter(({ health }) => health !== 'up')
  if (down.length > 0) {
    const urls = down.map(({ scrapeUrl }) => scrapeUrl).join(', ')
    return wrong(`not scraped: ${urls}`, 'start the process, or correct its port in prometheus.yml')
  }
  return ok(`${gateways.length} gateways and ${workers.length} workers are scraped`)
}

/** Rules of others do not count: the `Watchdog` of kube-prometheus-stack always fires. */
const GROUP = 'tesp'

export const alerts: Check = async ({ config: { prometheusUrl } }) => {
  const found = await ask(prometheusUrl, 'rules', '?type=alert')
  if (!found) return noPrometheus(prometheusUrl)
  const rules = found.groups.filter(({ name }) => name === GROUP).flatMap((group) => group.rules)
  if (rules.length === 0) {
    return wrong('alerts.yml is not loaded', 'name operators/monitoring/alerts.yml in rule_files')
  }
  const firing = rules.filter(({ state }) => state === 'firing')
  if (firing.length > 0) {
    const [{ annotations }] = firing as [Rule]
    const names = firing.map(({ name }) => name).join(', ')
    return wrong(`firing: ${names}`, annotations.action ?? 'see alerts.yml')
  }
  const told = (await ask(prometheusUrl, 'alertmanagers'))?.activeAlertmanagers ?? []
  for (const { url } of told) {
    const ready = new URL('/-/ready', url)
    // Its name may be known to Prometheus only, as in docker compose.
    const answer = await fetch(ready, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => {})
    if (answer && !answer.ok) return wrong(`${ready} answers ${answer.status}`, 'look at its log')
  }
  return told.length > 0
    ? ok(`${rules.length} rules, none fires, Alertmanager tells of them`)
    : check(`${rules.length} rules, but nobody is told`, 'docs/monitoring.md: Alertmanager')
}
