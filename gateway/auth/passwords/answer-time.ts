import { setTimeout as sleep } from 'node:timers/promises'

/** Minimum response time of answers that must not reveal by timing what was done, ms. */
const ANSWER_MS = 250

/** Runs the work and settles after `ANSWER_MS` at the earliest, with its result or its error. */
export async function hideDuration<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, sleep(ANSWER_MS)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
