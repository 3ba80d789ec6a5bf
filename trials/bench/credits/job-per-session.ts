import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { connect } from '#db/engine/connect'
import { creditIntervals } from '#db/ledger/ledger'
import { productNow } from '#db/postgres/connection/product-clock'
import { INTERVAL_MS } from '#rules/constants'

type SessionJob = { sessionId: number; memberId: number }

/** Jobs that run at a time, with a connection each, so that their commits share flushes. */
const CONCURRENCY = 16
const NAME = 'credit-session'

/**
 * The usual shape of delayed jobs: one BullMQ job a session, which credits it by the statement of the
 * product and adds the delayed job of its next interval.
 */
export function jobPerSession(databaseUrl: string, redisUrl: string) {
  const db = connect(databaseUrl, { max: CONCURRENCY, name: 'bench-jobs' })
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null })
  const queue = new Queue<SessionJob>(NAME, { connection })
  return {
    /** Credits these sessions, which are due; returns credits a second from the first job on. */
    async run(sessions: SessionJob[]): Promise<number> {
      await queue.obliterate({ force: true })
      await queue.addBulk(
        sessions.map((data) => ({ name: NAME, data, opts: { removeOnComplete: true } })),
      )
      const now = await productNow(db)
      let credits = 0
      let seconds = 0
      const startedAt = performance.now()
      await new Promise<void>((resolve, reject) => {
        const worker = new Worker<SessionJob>(
          NAME,
          async ({ data }) => {
            credits += (await creditIntervals(db, data, now)).length
            await queue.add(NAME, data, { delay: INTERVAL_MS, removeOnComplete: true })
          },
          { connection, concurrency: CONCURRENCY },
        )
        worker.on('failed', (_job, error) => reject(error))
        let left = sessions.length
        worker.on('completed', () => {
          left -= 1
          if (left > 0) return
          seconds = (performance.now() - startedAt) / 1_000
          worker.close().then(resolve, reject)
        })
      })
      return credits / seconds
    },
    async close() {
      await queue.obliterate({ force: true })
      await queue.close()
      await db.destroy()
      connection.disconnect()
    },
  }
}
