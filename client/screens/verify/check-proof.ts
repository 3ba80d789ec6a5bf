import { call } from '#client/data/api.ts'
import { SEAL_KEYS_NAME } from '#contract/initial-data'
import { parseReceipt, RECEIPT_MAX_BYTES } from '#rules/seal/parse-receipt'
import type { Receipt } from '#rules/seal/receipt'
import type { SealKey } from '#rules/seal/seal'
import {
  type ReceiptChecks,
  type Trusted,
  type Verdict,
  verdictOf,
  verifyReceipt,
} from '#rules/seal/verify-receipt'

/** Null for a file without a receipt. */
export type OpenedProof = { receipt: Receipt; published: Trusted } | null

export type CheckedProof = { receipt: Receipt; checks: ReceiptChecks; verdict: Verdict } | null

/** The keys that the server put into this page; undefined in a page that came from no server. */
function keysInPage(): SealKey[] | undefined {
  const element = document.querySelector<HTMLMetaElement>(`meta[name="${SEAL_KEYS_NAME}"]`)
  return element ? JSON.parse(element.content) : undefined
}

/** `seals` are undefined if the server does not answer. */
async function readPublished(day: string): Promise<Trusted> {
  const [keys, seals] = await Promise.all([
    call('GET /api/ledger/keys').then((answer) => answer.keys, keysInPage),
    call('GET /api/ledger/roots', { query: { day } }).then(
      (answer) => answer.seals,
      () => undefined,
    ),
  ])
  return { keys, seals }
}

export async function openProof(file: File): Promise<OpenedProof> {
  if (file.size > RECEIPT_MAX_BYTES) return null
  const receipt = parseReceipt(await file.text().catch(() => ''))
  return receipt ? { receipt, published: await readPublished(receipt.seal.day) } : null
}

/** @param hash that of the seal, from a mirror; empty without one */
export async function checkProof(opened: OpenedProof, hash: string): Promise<CheckedProof> {
  if (!opened) return null
  const { receipt, published } = opened
  const checks = await verifyReceipt(receipt, { ...published, ...(hash !== '' && { hash }) })
  return { receipt, checks, verdict: verdictOf(checks) }
}
