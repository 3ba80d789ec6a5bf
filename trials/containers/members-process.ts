import { retryPauses } from '#client/commands/attempt.ts'
import { errorOf, mayHaveWorked, REQUEST_TIMEOUT_MS } from '#client/data/api.ts'
import { connect } from '#db/engine/connect'
import { productNow } from '#db/postgres/connection/product-clock'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { readConfig } from '#runtime/config/config'
import { advance, freeze } from '#scripts/testing/db/clock'
import { insertMembers } from '#scripts/testing/db/members'
import { insertSessions } from '#scripts/testing/db/sessions'
import type { ServedProduct } from '#scripts/testing/gateway/product'
import type { MemberSocket } from '#scripts/testing/gateway/visitor'
import { brokenRules } from '#trials/kit/checks'
import { serve } from '#trials/kit/fork'
import { type Habits, Member, openSocket, Tally } from '#trials/kit/member'
import { Random } from '#trials/kit/random'
import { signedInMembers } from '#trials/kit/seed'
import { until } from '#trials/kit/until'
import { journey, mailCatcher, openMailbox } from './journey.ts'
import type { MembersOptions, StepFigures } from './members.ts'

// In another process, which trusts the certificate of the proxy.

/** Product time runs faster, so that credits are always due: a minute each half second. */
const TICK_MS = 500
const MINERS = 500

const options: MembersOptions = JSON.parse(process.env.MEMBERS_OPTIONS ?? '')
const { origin, databaseUrl, mailPort, catcherPort, settings } = options
const db = connect(databaseUrl, { max: 4, name: 'test', statementTimeoutMs: 0 })
const product: ServedProduct = {
  config: readConfig({ ...settings, DATABASE_URL: databaseUrl, REDIS_URL: 'redis://not-used' }),
  db,
  urls: [origin],
}
const mailbox = catcherPort ? mailCatcher(catcherPort) : await openMailbox(mailPort)

const REFUSALS = [
  'mining_active',
  'mining_inactive',
  'nothing_to_claim',
  'claim_cooldown',
  'task_unknown',
  'task_claimed',
]

let waited = 0
/** A member with one page open; requests are repeated by the client's rules. */
const PATIENT: Habits = {
  routes: [
    ...Array<'POST /api/mining/start'>(2).fill('POST /api/mining/start'),
    'POST /api/mining/stop',
    ...Array<'POST /api/mining/claim'>(2).fill('POST /api/mining/claim'),
    'POST /api/tasks/complete',
    'GET /api/mining/status',
    'GET /api/wallet',
    'GET /api/referral/info',
  ],
  pauseMs: [300, 1_200],
  copies: 1,
  timeoutMs: () => REQUEST_TIMEOUT_MS,
  retries() {
    const pauses = retryPauses()
    let hasWaited = false
    return (reply) => {
      const isAnswered = 'response' in reply && reply.response.ok
      const error = 'error' in reply ? reply.error : errorOf(reply.response, reply.text)
      if (isAnswered || !mayHaveWorked(error)) return undefined
      if (pauses.isUsedUp() && !hasWaited) {
        hasWaited = true
        waited++
      }
      return pauses.next(error)
    }
  },
  problemOf(status, text) {
    const { answer } = errorOf({ status, statusText: '' }, text)
    const isRefusal = answer?.code !== undefined && REFUSALS.includes(answer.code)
    const isRepeated = status > 501
    return status === 200 || isRefusal || isRepeated ? undefined : text.slice(0, 200)
  },
}

const tally = new Tally()
let isRunning = true
let sockets: MemberSocket[] = []
let played: Promise<unknown> = Promise.resolve()
let timer: ReturnType<typeof setInterval>

const untilLive = () =>
  until('every member has a socket', () => sockets.every(({ connected }) => connected))

/** Sessions whose intervals end all over the next interval. */
async function insertMiners(): Promise<void> {
  const now = await productNow(db)
  const ids = await insertMembers(db, MINERS)
  const startedAt = (n: number) => now - Math.floor((n / MINERS) * INTERVAL_MS)
  await insertSessions(
    db,
    ids.map((userId, n) => ({ userId, startedAt: startedAt(n) })),
  )
}

const countCredits = async () => {
  const rows = db('wallet_activity').where('id', 'like', 'credit:%')
  return Number((await rows.count('* as credits').first())?.credits)
}

const CALLS = {
  journey: () => journey(product, mailbox),
  async start(count: number): Promise<void> {
    await insertMiners()
    const visitors = await signedInMembers(product, count)
    const members = visitors.map(
      (visitor, n) => new Member(visitor, visitors, new Random(n + 1), tally, PATIENT),
    )
    sockets = visitors.map((visitor) => openSocket(visitor, tally))
    played = Promise.all(members.map((member) => member.play(() => isRunning)))
    // Fails while Postgres restarts; product time then stands still.
    timer = setInterval(() => void advance(db, MINUTE_MS).catch(() => {}), TICK_MS)
    await untilLive()
    tally.take()
  },
  async step(): Promise<StepFigures> {
    await untilLive()
    const figures = { ...tally.take(), waited, credits: await countCredits() }
    waited = 0
    return figures
  },
  async stop(): Promise<string[]> {
    isRunning = false
    await played
    for (const socket of sockets) socket.disconnect()
    clearInterval(timer)
    await freeze(db)
    return brokenRules(db, tally.claims, 0)
  },
}
export type MemberCalls = typeof CALLS
serve(CALLS)
