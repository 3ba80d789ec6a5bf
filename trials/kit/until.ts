import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for what `find` finds; an error of it counts as nothing. @throws {Error} with the last one and the logs */
export async function until<T>(
  what: string,
  find: () => Promise<T> | T,
  { limitMs = 60_000, pauseMs = 100, logs = async () => '' } = {},
): Promise<Exclude<T, undefined | null | false>> {
  let reason: unknown = ''
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(pauseMs)) {
    try {
      const found = await find()
      if (found) return found as Exclude<T, undefined | null | false>
    } catch (error) {
      reason = error
    }
  }
  throw new Error(`not within ${limitMs / 1_000} s: ${what} ${reason}\n${await logs()}`.trimEnd())
}
