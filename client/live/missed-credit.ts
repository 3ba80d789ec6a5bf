import type { MiningStatus } from '#rules/snapshots'

/** How long after its time, real ms, a credit may be silent before the client asks. */
export const OVERDUE_MS = 20_000

/** Real milliseconds after its arrival at which the status ought to have been followed by another. */
export function silentFor({ session, speed }: MiningStatus): number | null {
  const { nextCreditIn } = session ?? {}
  return nextCreditIn ? nextCreditIn / speed + OVERDUE_MS : null
}

/** Calls back once for a status whose credit was due and never heard of. */
export function overdueAlarm(onOverdue: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let armedFor: MiningStatus | undefined
  const stop = () => clearTimeout(timer)
  return {
    stop,
    arm(status: MiningStatus | undefined) {
      if (status === armedFor) return
      armedFor = status
      stop()
      const ms = status && silentFor(status)
      if (ms) timer = setTimeout(onOverdue, ms)
    },
  }
}
