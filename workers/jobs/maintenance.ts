import { recordFigures } from '#db/daily-figures'
import { deleteOldHours } from '#db/ledger/network-counters'
import { mergePartitions } from '#db/ledger/partition-merges/merge-partitions'
import { ensurePartitions } from '#db/ledger/partitions'
import { deleteOldMails } from '#db/mails'
import { deleteOldDocuments } from '#db/members/kyc'
import { deleteOldTelegramRows } from '#db/members/telegram'
import { AGING_TABLES, bucketInTurn, deleteOld, deleteOldInboxRows } from '#db/old-rows'
import { checkGrownTeams } from '#db/team/suspicious-teams'
import { networksIn } from '#runtime/redis/sign-in-networks'
import type { Context, Handler } from '#workers/job'

async function makePartitions({ db, log }: Context): Promise<void> {
  const made = await ensurePartitions(db)
  if (made.length > 0) log.info({ made }, 'ledger partitions created')
}

const MERGE_MS = 5_000

async function mergeOldPartitions({ db, config, log, stopping }: Context): Promise<void> {
  const end = performance.now() + MERGE_MS
  const merged = await mergePartitions(
    db,
    config.ledgerDetailDays,
    () => !stopping.aborted && performance.now() < end,
  )
  if (merged > 0) log.info({ merged }, 'old partitions of the ledger merged')
}

async function deleteDocuments({ db, config, log }: Context): Promise<void> {
  const documents = await deleteOldDocuments(db, config.kycRetentionDays)
  if (documents > 0) log.info({ documents }, 'identity documents deleted')
}

async function lookAtTeams({ db, redis, config, log }: Context): Promise<void> {
  const found = await checkGrownTeams(db, networksIn(redis, config.redisPrefix))
  if (found > 0) log.info({ found }, 'teams look suspicious; operators judge them')
}

type Step = (context: Context) => Promise<unknown>

/** Each table has its own step, so that one whose rows cannot be deleted does not stop the others. */
const STEPS: Record<string, Step> = {
  makePartitions,
  ...Object.fromEntries(
    AGING_TABLES.map((table): [string, Step] => [
      `delete ${table}`,
      ({ db }) => deleteOld(db, table),
    ]),
  ),
  'delete network_hours': ({ db }) => deleteOldHours(db),
  'delete inbox': ({ db }) => deleteOldInboxRows(db, bucketInTurn(Date.now())),
  'delete telegram': ({ db }) => deleteOldTelegramRows(db),
  'delete kyc_documents': deleteDocuments,
  'delete mails': async ({ db, config }) => config.smtpUrl && deleteOldMails(db),
  recordFigures: ({ db }) => recordFigures(db),
  lookAtTeams,
  mergeOldPartitions,
}

/** A step that fails does not stop the others; the job fails after the last one. */
export const maintenance: Handler<'maintenance'> = async (context) => {
  const errors: Error[] = []
  for (const [step, run] of Object.entries(STEPS)) {
    try {
      await run(context)
    } catch (err) {
      context.log.error({ err, step }, 'maintenance step failed; the next run repeats it')
      errors.push(err as Error)
    }
  }
  if (errors.length === 0) return
  throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
}
