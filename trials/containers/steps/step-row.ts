import type { StepFigures } from '#trials/containers/members/protocol'

const seconds = (ms: number) => (ms / 1_000).toFixed(1)

/** A step as a row of the table. */
export function stepRow(step: string, ms: number, figures: StepFigures): Record<string, unknown> {
  const { requests, retried, waited, failed, slowestMs, socketsLost, longestAwayMs } = figures
  const causes = Object.entries(retried).map(([cause, count]) => `${count}× ${cause}`)
  return {
    step,
    seconds: seconds(ms),
    requests,
    sentAgain: causes.join(', ') || 0,
    shownAsWaiting: waited,
    failed: failed.length,
    slowestSeconds: seconds(slowestMs),
    socketsLost,
    awaySeconds: seconds(longestAwayMs),
    credits: figures.credits,
  }
}
