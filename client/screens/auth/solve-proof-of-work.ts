import { answerOf } from '#client/data/api.ts'
import type { ProofOfWorkChallenge } from '#contract/forms/proof-of-work'

/** Counter and key; null if the browser cannot compute them. */
type Solution = { counter: number; derivedKey: string } | null

/** Proofs for one code: the price may rise while the first one is computed. */
const MAX_PROOFS = 3

/**
 * Sends a request with the proof of work that the server asked for.
 * @returns false if the browser cannot compute it
 * @throws the error of the request, or the reason of the signal
 */
export async function sendWithProof(
  send: (proof: string) => Promise<unknown>,
  challenge: ProofOfWorkChallenge,
  signal: AbortSignal,
): Promise<boolean> {
  for (let proofs = 1, asked = challenge; ; proofs++) {
    const proof = await solveProof(asked, signal)
    if (!proof) return false
    try {
      await send(proof)
      return true
    } catch (error) {
      const next = answerOf(error)?.challenge
      if (!next || proofs >= MAX_PROOFS) throw error
      asked = next
    }
  }
}

/**
 * Solves a challenge of the server in a worker, or on the page where the worker does not load, as in
 * browsers without module workers. Aborting stops the computation.
 * @returns the proof to send along; undefined if the browser cannot compute it
 * @throws the reason of the signal
 */
async function solveProof(
  challenge: ProofOfWorkChallenge,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted()
  const solution = await inWorker(challenge, signal).catch(() => onPage(challenge, signal))
  signal.throwIfAborted()
  return solution ? JSON.stringify({ challenge, solution }) : undefined
}

/** @throws if the worker does not load, or on abort */
function inWorker(challenge: ProofOfWorkChallenge, signal: AbortSignal): Promise<Solution> {
  return new Promise<Solution>((resolve, reject) => {
    const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      worker.terminate()
      signal.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', abort)
    worker.onmessage = ({ data }: MessageEvent<Solution>) => end(() => resolve(data))
    worker.onerror = (error) => end(() => reject(error))
    worker.postMessage(challenge)
  })
}

/** WebCrypto derives in the background, so the page stays responsive. */
async function onPage(challenge: ProofOfWorkChallenge, signal: AbortSignal): Promise<Solution> {
  signal.throwIfAborted()
  const { computeProof } = await import('./compute-proof-of-work.ts')
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort())
  return computeProof(challenge, controller).catch(() => null)
}
