import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from '#trials/chaos/stage'
import type { Random } from './random.ts'

/** How many times each signal was sent. */
export type FaultCounts = Partial<Record<NodeJS.Signals, number>>

/** A slow machine that restarts few processes in the given time still gets this many faults. */
const MIN_FAULTS = 3

/** Kills, terminates or freezes one random process after another and brings each back. */
export async function injectFaults(
  stage: Stage,
  random: Random,
  isRunning: () => boolean,
): Promise<FaultCounts> {
  const counts: FaultCounts = {}
  for (let faults = 0; ; faults++) {
    await sleep(random.between(300, 1_500))
    if (!isRunning() && faults >= MIN_FAULTS) return counts
    const target = random.pick(stage.processes)
    const signal = random.pick(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)
    counts[signal] = (counts[signal] ?? 0) + 1
    if (signal === 'SIGSTOP') {
      target.signal('SIGSTOP')
      await sleep(random.between(500, 4_000))
      target.signal('SIGCONT')
    } else {
      await target.stop(signal)
      await target.start()
    }
  }
}
