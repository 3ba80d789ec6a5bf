import fs from 'node:fs/promises'
import { MIGRATIONS } from '#db/migrations/index'
import { appliedMigrations, assertRunsHere } from '#db/migrations/schema-floor'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { OperatorError } from '#runtime/operator-error'
import { productVersion, ROOT } from '#runtime/process/root'
import { evictionPolicy, memoryShare } from '#runtime/redis/eviction'
import { readProcesses } from '#runtime/redis/process-list'
import type { ListCommand, OpsCall } from './command.ts'
import { alerts, metrics } from './doctor-monitoring.ts'
import { baseBackup, proxy, tls } from './doctor-outside.ts'
import { type Check, check, type Finding, ok, wrong } from './finding.ts'
import { senderProblems } from './mail-dns.ts'
import { mailProblem } from './mails.ts'
import { withRedis } from './redis.ts'

/** Postgres 15 is the oldest that the product is tested with. */
const OLDEST_POSTGRES = 15
const CLOCK_MS = 2_000
const FREE_SHARE = 0.2
const LATE_SECONDS = 60
const FULL_PERCENT = 80

const database: Check = async ({ db }) => {
  const { rows } = await db.raw(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
       pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
  )
  const [{ version, major, encoding }] = rows
  if (encoding !== 'UTF8') return wrong(`encoding ${encoding}`, 'create the database with UTF8')
  if (major < OLDEST_POSTGRES) return wrong(`PostgreSQL ${version}`, 'upgrade to 15 or newer')
  return ok(`PostgreSQL ${version}`)
}

const schema: Check = async ({ db }) => {
  await assertRunsHere(db)
  const applied = await appliedMigrations(db)
  const lacking = Object.keys(MIGRATIONS).filter((name) => !applied.includes(name))
  if (lacking.length > 0) return wrong(`lacks ${lacking.join(', ')}`, 'npm run migrate')
  return ok(`${applied.length} migrations`)
}

const clock: Check = async ({ db, config }) => {
  // A new connection would count as a difference.
  await db.raw('select 1')
  const before = Date.now()
  const { rows } = await db.raw('select extract(epoch from clock_timestamp()) * 1000 as now')
  const apart = Math.round(Number(rows[0].now) - (before + Date.now()) / 2)
  if (Math.abs(apart) > CLOCK_MS) {
    return wrong(`${apart} ms from that of Postgres`, 'run a time service on every host')
  }
  const { clockSpeed = 1 } = config
  return clockSpeed === 1
    ? ok(`${apart} ms from that of Postgres`)
    : check(`product time runs ${clockSpeed} × as fast`, 'leave CLOCK_SPEED out for members')
}

const NO_REDIS = wrong('REDIS_URL is not set', 'set it')

const redis: Check = async (call) => {
  const found = await withRedis(call, async (redis) => ({
    policy: await evictionPolicy(redis),
    share: Math.round(100 * (await memoryShare(redis))),
  }))
  if (found === undefined) return NO_REDIS
  const { policy, share } = found
  if (share > FULL_PERCENT) {
    return wrong(
      `${share} % of its memory are used`,
      'raise maxmemory: a full one refuses sign-ins',
    )
  }
  return policy === 'noeviction'
    ? ok('answers, evicts nothing')
    : wrong(`evicts keys (${policy})`, 'set maxmemory-policy noeviction: queues must not vanish')
}

const workers: Check = async ({ db }) => {
  const seconds = Math.round(await creditLagSeconds(db))
  return seconds > LATE_SECONDS
    ? wrong(`credits are ${seconds} s late`, 'start workers, or more of them')
    : ok(`credits are ${seconds} s late`)
}

const mail: Check = async ({ config }) => {
  if (!config.smtpUrl) return check('SMTP_URL is not set', 'set it: members need codes by mail')
  const problem = await mailProblem(config)
  return problem
    ? wrong(problem, 'npm run ops -- mail test <address>')
    : ok('the server signs us in')
}

const sender: Check = async ({ config }) => {
  const problems = await senderProblems(config)
  return problems.length > 0
    ? check(problems.join('; '), 'add the records: docs/operations/mail.md')
    : ok(config.dkimKeyFile ? 'SPF, DKIM and DMARC are in DNS' : 'SPF and DMARC are in DNS')
}

const push: Check = async ({ config }) =>
  config.vapidPublicKey ? ok('has keys') : check('off', 'set VAPID_PRIVATE_KEY for notifications')

const seals: Check = async ({ config }) =>
  config.ledgerSealKey ? ok('signed') : check('not signed', 'set LEDGER_SEAL_KEY for the workers')

const disk: Check = async () => {
  const { bavail, blocks, bsize } = await fs.statfs(ROOT)
  const says = `${Math.round((bavail / blocks) * 100)} % free (${Math.round((bavail * bsize) / 1e9)} GB), of this host`
  return bavail / blocks < FREE_SHARE ? wrong(says, 'make room') : ok(says)
}

const backup: Check = async ({ db }) => {
  const { rows } = await db.raw(
    `select current_setting('archive_mode') as mode, last_archived_time as at,
       last_failed_time > coalesce(last_archived_time, '-infinity') as failing from pg_stat_archiver`,
  )
  const [{ mode, at, failing }] = rows
  if (mode === 'off') return check('no WAL archive', 'docs/operations/backup.md')
  if (failing) return wrong('the WAL archive fails', 'see the log of Postgres')
  return at
    ? ok(`WAL archived ${at.toISOString()}`)
    : check('no WAL archived yet', 'wait, or see the log of Postgres')
}

const ROLES = ['gateway', 'workers']

const versions: Check = async (call) => {
  const running = await withRedis(call, (redis) => readProcesses(redis, call.config.redisPrefix))
  if (!running) return NO_REDIS
  const of = (role: string) => running.filter((one) => one.role === role)
  const away = ROLES.filter((role) => of(role).length === 0)
  if (away.length > 0) return wrong(`no ${away.join(' and no ')} process runs`, 'start them')
  const own = productVersion()
  const others = new Set(
    running
      .filter(({ version }) => version !== own)
      .map(({ role, version }) => `${role} ${version}`),
  )
  if (others.size > 0) {
    return check(
      `${[...others].join(', ')} beside ${own}`,
      'finish the upgrade: docs/operations/upgrade.md',
    )
  }
  return ok(`${ROLES.map((role) => `${of(role).length} ${role}`).join(', ')}, all of ${own}`)
}

const CHECKS: Record<string, Check> = {
  database,
  schema,
  clock,
  redis,
  versions,
  workers,
  mail,
  sender,
  push,
  seals,
  disk,
  'wal archive': backup,
  'base backup': baseBackup,
  proxy,
  tls,
  metrics,
  alerts,
}

/** A check that throws is wrong: its error says why, and an OperatorError what to do. */
function thrown(error: unknown): Finding {
  if (error instanceof OperatorError) return { result: 'wrong', says: error.message }
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return wrong(
    reason instanceof Error ? reason.message : String(reason),
    'make it reachable from here',
  )
}

async function find([name, run]: [string, Check], call: OpsCall) {
  const finding = await run(call).catch(thrown)
  return { check: name, ...finding, do: finding.do ?? null }
}

export const doctor: ListCommand = {
  does: 'checks servers, versions, mail, keys, clock, disk, backups, proxy, TLS, metrics and alerts; ends with 1 if one is wrong',
  list: (call) => Promise.all(Object.entries(CHECKS).map((each) => find(each, call))),
  line: ({ result, check, says, do: todo }) =>
    `${String(result).padEnd(5)}  ${String(check).padEnd(11)}  ${says}${todo ? ` → ${todo}` : ''}`,
  failsIf: (rows) => rows.some(({ result }) => result === 'wrong'),
}
