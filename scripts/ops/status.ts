import { mailFigures } from '#db/mails'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { countQuarantined } from '#db/mining/quarantine'
import { strayLedgerRows } from '#db/postgres/partitions'
import { redisForRequests } from '#db/process/redis'
import type { JobName } from '#queue'
import type { OpsCall } from '#scripts/ops/call'
import { jobQueue } from '#workers/job-queue'

const JOBS: JobName[] = [
  'sweep-credits',
  'check-credits',
  'end-sessions',
  'send-mail',
  'roll-up-ledger',
  'maintenance',
]
const SHOWN_FAILURES = 5

async function showQueues({ config }: OpsCall, redisUrl: string): Promise<void> {
  const redis = redisForRequests(redisUrl)
  try {
    for (const name of JOBS) {
      const queue = jobQueue(name, redis, config.redisPrefix)
      const { waiting, active, delayed, failed } = await queue.getJobCounts()
      const counts = `waiting ${waiting}  active ${active}  delayed ${delayed}  failed ${failed}`
      console.log(`queue ${name.padEnd(14)} ${counts}`)
      for (const job of await queue.getFailed(0, SHOWN_FAILURES - 1)) {
        console.log(`  ${job.id}  ${JSON.stringify(job.data)}  ${job.failedReason}`)
      }
      await queue.close()
    }
  } finally {
    redis.disconnect()
  }
}

/** Prints credit lag, stray ledger rows, mails and queues. */
export async function showStatus(call: OpsCall): Promise<void> {
  const { db, redisUrl } = call
  const mails = await mailFigures(db)
  console.log(`credit lag           ${(await creditLagSeconds(db)).toFixed(1)} s`)
  console.log(`quarantined          ${await countQuarantined(db)} sessions`)
  console.log(`stray ledger rows    ${await strayLedgerRows(db)}`)
  console.log(`mails waiting        ${mails.waiting}`)
  console.log(`mails given up       ${mails.failed}`)
  const unsent = db('mails').whereNull('sentAt').whereNotNull('lastError')
  for (const mail of await unsent.orderBy('id', 'desc').limit(SHOWN_FAILURES)) {
    const { id, recipient, attempts, lastError } = mail
    console.log(`  mail ${id} to ${recipient}, ${attempts} tries: ${lastError}`)
  }
  if (redisUrl) await showQueues(call, redisUrl)
  else console.log('queues               set REDIS_URL to see them')
}
