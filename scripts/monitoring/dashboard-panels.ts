/** One line, or group of lines, of a panel: a PromQL expression and the text of its legend. */
export type Query = { expr: string; legend: string }

/** A panel of the dashboard. `unit` is Grafana's name of a unit. */
export type Panel = {
  title: string
  unit: 'short' | 's' | 'ops' | 'reqps' | 'percentunit' | 'bytes'
  queries: Query[]
}

export type Row = { title: string; panels: Panel[] }

/** Grafana replaces it with a time that holds at least four scrapes. */
const RATE = '[$__rate_interval]'

const rate = (series: string, by?: string) =>
  `sum${by ? ` by (${by}) ` : ''}(rate(${series}${RATE}))`
const quantile = (q: number, name: string, by = '') =>
  `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (rate(${name}_bucket${RATE})))`

/** The dashboard of operators, from what members feel down to what a process needs. */
export const ROWS: Row[] = [
  {
    title: 'Credits',
    panels: [
      {
        title: 'Age of the oldest uncredited interval',
        unit: 's',
        queries: [{ expr: 'max(credit_lag_seconds)', legend: 'lag' }],
      },
      {
        title: 'Credits',
        unit: 'ops',
        queries: [
          { expr: rate('credits_total', 'instance'), legend: '{{instance}}' },
          { expr: rate('credits_total'), legend: 'all' },
        ],
      },
      {
        title: 'Earned by active sessions, TESP a second',
        unit: 'short',
        queries: [{ expr: 'max(mining_tesp_per_second)', legend: 'TESP/s' }],
      },
      {
        title: 'Sessions',
        unit: 'short',
        queries: [
          { expr: 'max(sessions_active)', legend: 'active' },
          { expr: 'max(sessions_quarantined)', legend: 'quarantined' },
        ],
      },
    ],
  },
  {
    title: 'Live updates',
    panels: [
      {
        title: 'Open sockets',
        unit: 'short',
        queries: [{ expr: 'sum by (instance) (sockets_open)', legend: '{{instance}}' }],
      },
      {
        title: 'Pushes against polls',
        unit: 'ops',
        queries: [
          { expr: rate('pushes_total'), legend: 'pushes' },
          { expr: rate('polls_total', 'decided_by'), legend: 'polls by {{decided_by}}' },
        ],
      },
      {
        title: 'Delay of pushes and of the change channel',
        unit: 's',
        queries: [
          { expr: quantile(0.95, 'push_delay_seconds'), legend: 'push, 95 %' },
          { expr: quantile(0.95, 'change_delay_seconds'), legend: 'change, 95 %' },
        ],
      },
      {
        title: 'Handshakes',
        unit: 'ops',
        queries: [{ expr: rate('socket_handshakes_total', 'outcome'), legend: '{{outcome}}' }],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by status',
        unit: 'reqps',
        queries: [{ expr: rate('http_request_seconds_count', 'status'), legend: '{{status}}' }],
      },
      {
        title: 'Share of failed requests',
        unit: 'percentunit',
        queries: [
          {
            // Without a failed request there is no series of its status.
            expr: `(${rate('http_request_seconds_count{status=~"5.."}')} or vector(0)) / ${rate('http_request_seconds_count')}`,
            legend: '5xx',
          },
        ],
      },
      {
        title: 'Time of an answer',
        unit: 's',
        queries: [
          { expr: quantile(0.5, 'http_request_seconds'), legend: 'median' },
          { expr: quantile(0.99, 'http_request_seconds'), legend: '99 %' },
        ],
      },
      {
        title: 'Slowest routes, 95 %',
        unit: 's',
        queries: [
          {
            expr: `topk(5, ${quantile(0.95, 'http_request_seconds', 'route')})`,
            legend: '{{route}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Jobs and mail',
    panels: [
      {
        title: 'Jobs by queue and state',
        unit: 'short',
        queries: [
          {
            expr: 'max by (queue, state) (queue_jobs) > 0',
            legend: '{{queue}} {{state}}',
          },
        ],
      },
      {
        title: 'Failed job runs',
        unit: 'ops',
        queries: [{ expr: rate('jobs_failed_total', 'queue'), legend: '{{queue}}' }],
      },
      {
        title: 'Time of a job run, 95 %',
        unit: 's',
        queries: [{ expr: quantile(0.95, 'job_seconds', 'queue'), legend: '{{queue}}' }],
      },
      {
        title: 'Mail',
        unit: 'short',
        queries: [
          { expr: 'max(mails_waiting)', legend: 'waiting' },
          { expr: 'max(mails_failed)', legend: 'given up' },
          { expr: rate('mail_attempts_total', 'result'), legend: '{{result}} a second' },
        ],
      },
      {
        title: 'Reminders',
        unit: 'short',
        queries: [
          { expr: 'max(reminders_waiting)', legend: 'waiting' },
          {
            expr: rate('reminders_total', 'channel, result'),
            legend: '{{channel}} {{result}} a second',
          },
        ],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Database connections in use, queries that wait',
        unit: 'short',
        queries: [
          {
            expr: 'database_pool_connections{state="used"}',
            legend: '{{pool}} {{instance}}',
          },
          { expr: 'database_pool_waiting > 0', legend: 'waiting {{instance}}' },
        ],
      },
      {
        title: 'Event loop lag, 99 %',
        unit: 's',
        queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds', legend: '{{instance}}' }],
      },
      {
        title: 'CPU cores',
        unit: 'short',
        queries: [{ expr: rate('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' }],
      },
      {
        title: 'Resident memory',
        unit: 'bytes',
        queries: [{ expr: 'process_resident_memory_bytes', legend: '{{instance}}' }],
      },
    ],
  },
]
