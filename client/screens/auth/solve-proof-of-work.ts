import { answerOf } from '#client/data/api.ts'
import type { ProofOfWorkChallenge } from '#contract/forms/proof-of-work'

/** Null if the browser cannot compute it. */
type Solution = { counter: number; derivedKey: string } | null

/** Proofs for one code: the price may rise while the first one is computed. */
const MAX_PROOFS = 3

/** Resolves to false if the browser cannot compute the proof; throws the reason of the signal if it is aborted. */
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

/** Computes on the page if the worker does not load, as in browsers without module workers. */
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
