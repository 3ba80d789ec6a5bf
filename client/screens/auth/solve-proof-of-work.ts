import type { Challenge } from 'altcha-lib'
import { answerOf } from '#client/data/api.ts'
import type { computeProof } from './compute-proof-of-work.ts'

type Solution = Awaited<ReturnType<typeof computeProof>>

/** Proofs for one code: the price may rise while the first one is computed. */
const MAX_PROOFS = 3

/** Resolves to false if the browser cannot compute the proof; throws the reason of the signal if it is aborted. */
export async function sendWithProof(
  send: (proof: string) => Promise<unknown>,
  challenge: Challenge,
  attempt: AbortController,
): Promise<boolean> {
  for (let proofs = 1, asked = challenge; ; proofs++) {
    const solution = await inWorker(asked, attempt.signal).catch(() => onPage(asked, attempt))
    attempt.signal.throwIfAborted()
    if (!solution) return false
    try {
      await send(JSON.stringify({ challenge: asked, solution }))
      return true
    } catch (error) {
      const next = answerOf(error)?.challenge
      if (!next || proofs >= MAX_PROOFS) throw error
      asked = next
    }
  }
}

/** @throws if the worker does not load, as in browsers without module workers, or on abort */
async function inWorker(challenge: Challenge, signal: AbortSignal): Promise<Solution> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate())
  const solution = new Promise<Solution>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.onmessage = ({ data }: MessageEvent<Solution>) => resolve(data)
    worker.onerror = reject
    worker.postMessage(challenge)
  })
  return solution.finally(() => worker.terminate())
}

/** WebCrypto derives in the background, so the page stays responsive. */
async function onPage(challenge: Challenge, attempt: AbortController) {
  attempt.signal.throwIfAborted()
  const { computeProof } = await import('./compute-proof-of-work.ts')
  return computeProof(challenge, attempt)
}
