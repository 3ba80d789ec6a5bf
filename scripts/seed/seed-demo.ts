import { connect } from '#db/engine/connect'
import { creditIntervals } from '#db/ledger/ledger'
import { createCode, tryCode } from '#db/members/email-codes'
import { memberByIdentifier, registerMember } from '#db/members/members'
import { migrate } from '#db/migrations/migrate'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { completeTask } from '#db/tasks'
import { checkMilestones } from '#db/team/milestones'
import { generateReferralCode } from '#db/team/referrals'
import { hashPassword } from '#gateway/auth/passwords'
import { memberKey } from '#rules/buckets'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import type { Config } from '#runtime/config/config'
import { advance } from '#scripts/testing/db/clock'
import { DEMO_LEADER, DEMO_NEWCOMER, DEMO_PASSWORD, DEMO_TEAM } from './demo-members.ts'

type Registered = { username: string; passwordHash: string; referralCode?: string }

/** As the form does, but the code is never mailed. */
async function register(tx: Tx, dataKey: Buffer, { username, ...rest }: Registered) {
  const email = `${username}@demo.example`
  const browserId = `seed-${username}`
  const owner = { email, browserId, purpose: 'register' } as const
  const code = await createCode(tx, dataKey, owner, 1)
  await tryCode(tx, dataKey, owner, code)
  const { member } = await registerMember(tx, {
    username,
    email,
    language: 'en',
    browserId,
    ...rest,
  })
  return member.id
}

async function creditEndedIntervals(tx: Tx, memberId: number) {
  const session = await tx('mining_sessions')
    .where({ ...memberKey(memberId), active: true })
    .first('id')
  let credited = 1
  while (credited > 0) {
    credited = (await creditIntervals(tx, { sessionId: session.id, memberId })).length
  }
}

async function writeHistory(tx: Tx, dataKey: Buffer, passwordHash: string) {
  let behindMs = 0
  // Product time of this transaction only: others do not see the clock move before it is back.
  const goTo = async (hoursAgo: number) => {
    const nextMs = hoursAgo * HOUR_MS
    await advance(tx, behindMs - nextMs)
    behindMs = nextMs
  }
  // Yesterday is the oldest day that has a ledger partition.
  await goTo(23)
  const leader = await register(tx, dataKey, { username: DEMO_LEADER, passwordHash })
  const referralCode = await generateReferralCode(tx, leader)
  await startMining(tx, leader)
  const team: number[] = []
  for (const username of DEMO_TEAM) {
    team.push(await register(tx, dataKey, { username, passwordHash, referralCode }))
  }
  await register(tx, dataKey, { username: DEMO_NEWCOMER, passwordHash })
  await checkMilestones(tx, leader)

  await goTo(22)
  const miners = team.slice(0, 5)
  for (const member of miners) await startMining(tx, member)

  await goTo(15.4)
  await stopMining(tx, leader)
  await claimRewards(tx, leader)
  await completeTask(tx, leader, 'join_telegram')
  for (const member of miners.slice(0, 3)) {
    await stopMining(tx, member)
    await claimRewards(tx, member)
  }

  await goTo(12)
  await startMining(tx, leader)
  await goTo(8.2)
  await stopMining(tx, leader)

  await goTo(5 + MINUTE_MS / HOUR_MS)
  await startMining(tx, leader)
  await goTo(0)
  for (const member of [leader, ...miners.slice(3)]) await creditEndedIntervals(tx, member)
}

/** Through the functions of the product, in one transaction. @returns false if the members are there already */
export async function seedDemo(db: Db, dataKey: Buffer): Promise<boolean> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  return inTransaction(db, async (tx) => {
    await tx.raw(`select pg_advisory_xact_lock(hashtext('seed-demo'))`)
    if (await memberByIdentifier(tx, DEMO_LEADER)) return false
    await writeHistory(tx, dataKey, passwordHash)
    return true
  })
}

export async function seedConfigured(config: Config): Promise<boolean> {
  const { databaseUrl, databasePrepared: preparedStatements, clockSpeed, dataKey } = config
  await migrate(databaseUrl, { clockSpeed })
  const db = connect(databaseUrl, { max: 2, name: 'tesp-seed', preparedStatements })
  return seedDemo(db, dataKey).finally(() => db.destroy())
}
