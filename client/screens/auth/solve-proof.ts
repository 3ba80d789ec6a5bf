import type { ProofChallenge } from '#contract/forms/proof'

/** What the worker sends back: the solution, or nothing if it cannot compute. */
type Answer = { counter: number; derivedKey: string } | null

/**
 * Solves a challenge of the server in a worker, so that the page stays responsive.
 * @returns the proof to send along
 * @throws if the browser cannot compute it
 */
export function solveProof(challenge: ProofChallenge): Promise<string> {
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' })
  const solved = new Promise<string>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data) resolve(JSON.stringify({ challenge, solution: data }))
      else reject(new Error('no solution was found'))
    }
    worker.onerror = reject
    worker.postMessage(challenge)
  })
  return solved.finally(() => worker.terminate())
}
