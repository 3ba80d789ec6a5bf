/** Series in the notation of promtool, one value a minute: `0+60x60` starts at 0 and adds 60. */
type Series = Record<string, string>

/** Input for which an alert fires after an hour, its labels, and input for which it does not. */
export type AlertExample = { fires: Series; labels?: Record<string, string>; quiet: Series }

const REQUESTS = 'http_request_seconds_count{route="GET /api/user"'
const answered = (ok: string, failed: string): Series => ({
  [`${REQUESTS},status="200"}`]: ok,
  [`${REQUESTS},status="503"}`]: failed,
})
/** A histogram with every observation between two bounds, 60 a minute. */
const observed = (name: string, below: string, above: string): Series => ({
  [`${name}_bucket{le="${below}"}`]: '0x60',
  [`${name}_bucket{le="${above}"}`]: '0+60x60',
  [`${name}_bucket{le="+Inf"}`]: '0+60x60',
})
const polled = (memory: string, postgres: string): Series => ({
  'polls_total{decided_by="memory"}': memory,
  'polls_total{decided_by="postgres"}': postgres,
})

const DISK = '{instance="a",mountpoint="/var/lib/postgresql",fstype="ext4"}'
const disk = (free: string): Series => ({
  [`node_filesystem_avail_bytes${DISK}`]: free,
  [`node_filesystem_size_bytes${DISK}`]: '100x60',
})

const unit = (state: string) =>
  `node_systemd_unit_state{instance="a",name="tesp-audit.service",state="${state}"}`

/** One example of each alert, in the order of alerts.yml. */
export const EXAMPLES: Record<string, AlertExample> = {
  CreditsLate: {
    fires: { 'credit_lag_seconds{instance="a"}': '0x57 70 130 190' },
    quiet: { 'credit_lag_seconds{instance="a"}': '3x60' },
  },
  WorkersAway: { fires: { other: '1x60' }, quiet: { credit_lag_seconds: '0x60' } },
  GatewaysAway: { fires: { other: '1x60' }, quiet: { sockets_open: '0x60' } },
  ProcessAway: {
    fires: {
      'up{job="gateway",instance="a"}': '1x60',
      'up{job="gateway",instance="b"}': '1x30 0x30',
    },
    labels: { job: 'gateway', instance: 'b' },
    // One that restarted, and another target that is away.
    quiet: {
      'up{job="workers",instance="a"}': '1x55 0 0 1x3',
      'up{job="host",instance="a"}': '0x60',
    },
  },
  OneProcessLeft: {
    fires: {
      'up{job="gateway",instance="a"}': '1x60',
      'up{job="gateway",instance="b"}': '1x30 stale',
    },
    labels: { job: 'gateway' },
    // A gateway had a second one during an upgrade.
    quiet: {
      'up{job="gateway",instance="a"}': '1x60',
      'up{job="gateway",instance="b"}': '_x20 1x2 stale',
      'up{job="workers",instance="a"}': '1x60',
      'up{job="workers",instance="b"}': '1x55 0 0 1x3',
      'up{job="host",instance="a"}': '1x60',
    },
  },
  DiskFills: {
    fires: disk('9x60'),
    labels: { instance: 'a', mountpoint: '/var/lib/postgresql' },
    quiet: disk('11x60'),
  },
  UnitFailed: {
    fires: { [unit('failed')]: '1x60' },
    labels: { instance: 'a', name: 'tesp-audit.service' },
    quiet: { [unit('failed')]: '0x60', [unit('active')]: '1x60' },
  },
  RequestsFail: {
    fires: answered('0+900x60', '0+100x60'),
    quiet: answered('0+900x60', '0+9x60'),
  },
  RequestsSlow: {
    fires: observed('http_request_seconds', '1', '2.5'),
    quiet: observed('http_request_seconds', '0.25', '0.5'),
  },
  PushesLate: {
    fires: observed('push_delay_seconds', '5', '15'),
    quiet: observed('push_delay_seconds', '0.05', '0.1'),
  },
  PollsUncached: {
    fires: polled('0+10x60', '0+600x60'),
    quiet: polled('0+600x60', '0+100x60'),
  },
  SessionsQuarantined: {
    fires: { 'sessions_quarantined{instance="a"}': '0x57 1 1 1' },
    quiet: { 'sessions_quarantined{instance="a"}': '0x60' },
  },
  LedgerStrayRows: { fires: { ledger_stray_rows: '7x60' }, quiet: { ledger_stray_rows: '0x60' } },
  JobsFail: {
    fires: { 'jobs_failed_total{queue="sweep-credits"}': '0+2x60' },
    labels: { queue: 'sweep-credits' },
    quiet: { 'jobs_failed_total{queue="sweep-credits"}': '0x50 1x10' },
  },
  QueueStands: {
    fires: { 'job_seconds_count{queue="sweep-credits"}': '0+60x10 600x60' },
    labels: { queue: 'sweep-credits' },
    quiet: { 'job_seconds_count{queue="sweep-credits"}': '0+1x60' },
  },
  QueueGrows: {
    fires: { 'queue_jobs{queue="send-mail",state="waiting"}': '5000x60' },
    labels: { queue: 'send-mail' },
    quiet: { 'queue_jobs{queue="send-mail",state="waiting"}': '12x60' },
  },
  MailsFail: {
    fires: { 'mail_attempts_total{result="failed"}': '0+1x60' },
    quiet: {
      'mail_attempts_total{result="failed"}': '0+1x60',
      'mail_attempts_total{result="sent"}': '0+1x60',
    },
  },
  RemindersWait: {
    fires: { reminders_waiting: '5000x60' },
    quiet: { reminders_waiting: '0x30 5000x30' },
  },
  MailsWait: { fires: { mails_waiting: '60x60' }, quiet: { mails_waiting: '3x60' } },
  MailsRejected: {
    fires: { 'mail_attempts_total{result="rejected"}': '0+1x60' },
    quiet: { 'mail_attempts_total{result="failed"}': '0+1x60' },
  },
  PoolExhausted: {
    fires: { 'database_pool_waiting{pool="gateway",instance="a"}': '40x60' },
    labels: { pool: 'gateway', instance: 'a' },
    quiet: { 'database_pool_waiting{pool="gateway",instance="a"}': '0x60' },
  },
  EventLoopBlocked: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.9x60' },
    labels: { instance: 'a' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.02x60' },
  },
}
