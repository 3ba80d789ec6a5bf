import { setTimeout as sleep } from 'node:timers/promises'

/** A line of a gateway's log reaches this process a little later than the answer does. */
const WAIT_MS = 1_000
const POLL_MS = 20

function errorIn(line: string, requestId: string): string | undefined {
  if (!line.includes(requestId) || !line.includes('request failed')) return undefined
  try {
    const { err } = JSON.parse(line)
    return `${err.type} ${err.code ?? 'without a code'}: ${err.message}`.replaceAll('\n', ' ')
  } catch {
    // The end of the line has not arrived.
    return undefined
  }
}

/** The error of a failed request in a log; `outputs` reads what the processes have printed so far. */
export async function loggedError(outputs: () => string[], requestId: string): Promise<string> {
  const end = performance.now() + WAIT_MS
  for (;;) {
    for (const line of outputs().flatMap((output) => output.split('\n'))) {
      const error = errorIn(line, requestId)
      if (error) return error
    }
    if (performance.now() > end) return `no log has an error of request ${requestId}`
    await sleep(POLL_MS)
  }
}
