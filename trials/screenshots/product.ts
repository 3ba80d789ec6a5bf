import { connect } from '#db/engine/connect'
import { creditAllDue } from '#db/ledger/ledger'
import { migrate } from '#db/migrations/migrate'
import { endSessions } from '#db/mining/end-sessions'
import { startMining } from '#db/mining/mining'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { hashPassword } from '#gateway/auth/passwords'
import { startGateway } from '#gateway/server'
import { correctBalance } from '#operators/ops/testing/correct-balance'
import { MINUTE_MS, SESSION_MS } from '#rules/constants'
import { readConfig } from '#runtime/config/config'
import { buildClient } from '#scripts/build/build-client'
import { DEMO_PASSWORD } from '#scripts/seed/demo-members'
import { seedDemo } from '#scripts/seed/seed-demo'
import { advance } from '#scripts/testing/db/clock'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { trialServers } from '#trials/kit/servers'
import type { Trial } from '#trials/kit/trial'
import { startWorkers } from '#workers/server'
import { LEADER_CODE, type MemberName } from './states/state.ts'

type NewMember = Exclude<MemberName, 'demo' | 'demo-ada' | 'demo-new'>

/** Two milestones are ready, and the list of members is longer than what is shown at first. */
const LEADER_TEAM = 26
/** The largest balance that is laid out: eleven digits and eight decimals. */
const RICH = '98765432109.87654321'

const HISTORIES: Record<NewMember, (tx: Tx, id: number) => Promise<void>> = {
  async 'demo-finished'(tx, id) {
    const longAgoMs = SESSION_MS + MINUTE_MS
    await advance(tx, -longAgoMs)
    await startMining(tx, id)
    await advance(tx, longAgoMs)
    const session = await tx('mining_sessions').where({ userId: id, active: true }).first('id')
    await creditAllDue(tx, { sessionId: session.id, memberId: id })
    await endSessions(tx)
  },
  async 'demo-rich'(tx) {
    const correction = { member: 'demo-rich', amount: RICH, reason: 'Screenshots' }
    await correctBalance(tx, { ...correction, token: 'TESP' })
    await correctBalance(tx, { ...correction, token: 'USDT' })
  },
  async 'demo-leader'(tx, id) {
    await tx('users').where({ id }).update({ referralCode: LEADER_CODE })
    for (const [at, member] of (await insertMembers(tx, LEADER_TEAM)).entries()) {
      await rename(tx, member, `friend-${at + 1}`)
      await applyReferralCode(tx, member, LEADER_CODE)
    }
  },
  async 'demo-frozen'(tx, id) {
    const referralFrozenReason = 'Many sign-ups from one address'
    await tx('users').where({ id }).update({ referralCode: 'TESPFR2ZEN', referralFrozenReason })
  },
}

async function rename(tx: Tx, id: number, username: string): Promise<void> {
  const email = `${username}@demo.example`
  const names = { username, usernameKey: username, email, emailKey: email }
  await tx('users').where({ id }).update(names)
}

async function seedMembers(db: Db): Promise<void> {
  const password = await hashPassword(DEMO_PASSWORD)
  await inTransaction(db, async (tx) => {
    for (const [username, history] of Object.entries(HISTORIES)) {
      const id = await insertMember(tx)
      await rename(tx, id, username)
      await tx('users').where({ id }).update({ password })
      await history(tx, id)
    }
    // The toast about a credit of the last minute would cover the screens.
    await tx.raw(`update mining_sessions set "creditedAt" = "creditedAt" - interval '1 hour'`)
  })
}

async function seed(databaseUrl: string, dataKey: Buffer): Promise<void> {
  await migrate(databaseUrl)
  const db = connect(databaseUrl, { max: 2, name: 'tesp-screenshots' })
  try {
    await seedDemo(db, dataKey)
    await seedMembers(db)
  } finally {
    await db.destroy()
  }
}

/** On the trial's servers, so that a running product and its data stay as they are. @returns the gateway's URL */
export async function startDemoProduct(trial: Trial): Promise<string> {
  const { report, defer } = trial
  const [{ url, redisUrl, secrets }] = await Promise.all([
    report.step('database and queue start', () => trialServers(trial)),
    report.step('client is built', buildClient),
  ])
  const config = readConfig({
    ...secrets,
    DATABASE_URL: url,
    REDIS_URL: redisUrl,
    PORT: '0',
    LOG_LEVEL: 'silent',
    // Refuses connections: nobody reads the mails about the sign-ins.
    SMTP_URL: 'smtp://127.0.0.1:9',
  })
  await report.step('demo data is written', () => seed(url, config.dataKey))
  const workers = await startWorkers(config)
  defer(() => workers.close())
  const gateway = await startGateway(config)
  defer(() => gateway.close())
  // Passkeys need a domain, and the gateway names its address.
  const origin = new URL(gateway.url)
  origin.hostname = 'localhost'
  return origin.origin
}
