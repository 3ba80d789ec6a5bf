import type { MiningStatus } from '#rules/snapshots'

/** Real ms after its due time at which a credit that has not arrived is read. */
export const OVERDUE_MS = 20_000

/** Real ms until the credit of a status counts as missed; null if no credit is due. */
export function missedAfterMs({ session, speed }: MiningStatus): number | null {
  const { nextCreditIn } = session ?? {}
  return nextCreditIn ? nextCreditIn / speed + OVERDUE_MS : null
}

/** Calls back once per status whose credit was due and did not arrive. */
export function missedCreditAlarm(onMissed: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let armedFor: MiningStatus | undefined
  const stop = () => clearTimeout(timer)
  return {
    stop,
    arm(status: MiningStatus | undefined) {
      if (status === armedFor) return
      armedFor = status
      stop()
      const ms = status && missedAfterMs(status)
      if (ms) timer = setTimeout(onMissed, ms)
    },
  }
}
