import { stringify } from 'yaml'

/** An alert rule of Prometheus, and what the operator who gets it does. */
export type Alert = {
  expr: string
  /** How long the expression holds before the alert fires. */
  for: string
  severity: 'page' | 'ticket'
  /** What members or operators notice. */
  summary: string
  /** The first steps. */
  action: string
}

const FAILED_SHARE =
  'sum(rate(http_request_seconds_count{status=~"5.."}[5m])) / sum(rate(http_request_seconds_count[5m]))'

/** Every alert by its name; `page` wakes somebody, `ticket` waits for the morning. */
export const ALERTS = {
  CreditsLate: {
    expr: 'max(credit_lag_seconds) > 60',
    for: '1m',
    severity: 'page',
    summary: 'Credits are more than a minute late; none is lost',
    action:
      'Look at the log and the CPU of the workers and at Postgres; start more workers processes. `npm run ops -- status` shows the lag.',
  },
  WorkersAway: {
    expr: 'absent(credit_lag_seconds)',
    for: '2m',
    severity: 'page',
    summary: 'No workers process is scraped: credits, session ends and mails do not run',
    action: 'Start the workers. If they run, check `WORKERS_PORT` and the targets of Prometheus.',
  },
  GatewaysAway: {
    expr: 'absent(sockets_open)',
    for: '2m',
    severity: 'page',
    summary: 'No gateway is scraped: members may see Offline',
    action: 'Start the gateways. If they run, check `METRICS_PORT` and the targets of Prometheus.',
  },
  RequestsFail: {
    expr: `${FAILED_SHARE} > 0.05`,
    for: '5m',
    severity: 'page',
    summary: 'More than 5 % of the requests are answered 5xx',
    action:
      'Search the log of the gateways for `request failed`. 503 means that Postgres or Redis is unavailable: see `/readyz`.',
  },
  RequestsSlow: {
    expr: 'histogram_quantile(0.95, sum by (le) (rate(http_request_seconds_bucket{route!="other"}[5m]))) > 1',
    for: '10m',
    severity: 'page',
    summary: 'One of 20 requests takes longer than a second',
    action:
      'Compare the panels of the event loop, of waiting queries and of Postgres: start gateways, raise `DATABASE_POOL`, or look for slow statements.',
  },
  PushesLate: {
    expr: 'histogram_quantile(0.95, sum by (le) (rate(push_delay_seconds_bucket[5m]))) > 5',
    for: '5m',
    severity: 'ticket',
    summary: 'Pushes arrive later than the next poll would',
    action:
      'If the delay of the change channel is as long, look at Redis; if not, at Postgres and the CPU of the gateways. Start gateways.',
  },
  PollsUncached: {
    expr: 'sum(rate(polls_total{decided_by="postgres"}[10m])) / sum(rate(polls_total[10m])) > 0.9 and sum(rate(polls_total[10m])) > 5',
    for: '20m',
    severity: 'ticket',
    summary: 'Nearly every poll reads Postgres: gateways do not follow the change log',
    action:
      'Search the log of the gateways for `change log not read`. With `POLL_CACHE_MEMBERS=0` it is expected.',
  },
  SessionsQuarantined: {
    expr: 'max(sessions_quarantined) > 0',
    for: '1m',
    severity: 'ticket',
    summary: 'A session has data that no credit can process; its mining is paused',
    action:
      '`npm run ops -- quarantine list` names the reason. Repair the data, then `npm run ops -- quarantine release <session>`.',
  },
  LedgerStrayRows: {
    expr: 'max(ledger_stray_rows) > 0',
    for: '10m',
    severity: 'ticket',
    summary: 'Ledger rows are in the default partition: partitions were created too late',
    action: 'Search the log of the workers for `maintenance step failed`.',
  },
  JobsFail: {
    expr: 'sum by (queue) (increase(jobs_failed_total{queue!="send-mail"}[10m])) > 5',
    for: '5m',
    severity: 'ticket',
    summary: 'The jobs of a queue fail again and again',
    action: 'Search the log of the workers for `job failed` and the name of the queue.',
  },
  QueueGrows: {
    expr: 'max by (queue) (queue_jobs{state="waiting"}) > 1000',
    for: '10m',
    severity: 'ticket',
    summary: 'Jobs wait in a queue for longer than 10 minutes',
    action: 'Start more workers processes; look for a slow mail server or database.',
  },
  MailsWait: {
    expr: 'max(mails_waiting) > 50',
    for: '10m',
    severity: 'ticket',
    summary: 'Mails with codes are late: members cannot register or reset a password',
    action: '`npm run ops -- status` shows the reason. Check the mail server and `SMTP_URL`.',
  },
  MailsRejected: {
    expr: 'sum(increase(mail_attempts_total{result="rejected"}[1h])) > 10',
    for: '5m',
    severity: 'ticket',
    summary: 'The mail server rejects mails for good',
    action: '`npm run ops -- status` shows the reason; check the reputation of `MAIL_FROM`.',
  },
  PoolExhausted: {
    expr: 'max by (pool, instance) (database_pool_waiting) > 20',
    for: '5m',
    severity: 'ticket',
    summary: 'Queries wait for a connection of the pool',
    action: 'Look for slow statements first; then start processes or raise `DATABASE_POOL`.',
  },
  EventLoopBlocked: {
    expr: 'max by (instance) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    for: '5m',
    severity: 'ticket',
    summary: 'A process answers late because its event loop is busy',
    action: 'Start more processes of its role; compare its CPU with one core.',
  },
} as const satisfies Record<string, Alert>

export type AlertName = keyof typeof ALERTS

/** What Prometheus adds to a firing alert. */
export const annotationsOf = ({ summary, action }: Alert) => ({ summary, action })

/** The rule file of Prometheus. */
export function alertRules(): string {
  const rules = Object.entries(ALERTS).map(([alert, rule]: [string, Alert]) => ({
    alert,
    expr: rule.expr,
    for: rule.for,
    labels: { severity: rule.severity },
    annotations: annotationsOf(rule),
  }))
  const head = '# Generated by `npm run api-docs` from scripts/monitoring/alerts.ts.\n'
  return head + stringify({ groups: [{ name: 'tesp', rules }] }, { lineWidth: 0 })
}
