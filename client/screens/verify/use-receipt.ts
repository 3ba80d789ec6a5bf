import { useEffect, useState } from 'react'
import type { Receipt } from '#rules/seal/receipt'
import { type ReceiptChecks, verifyReceipt } from '#rules/seal/verify-receipt'

/** A file that was chosen: its receipt, or null if it holds none. */
type Chosen = { receipt: Receipt; checks: ReceiptChecks } | null

/** Reads a receipt, also in the answer of the server around it; undefined for any other JSON. */
function receiptOf(json: unknown): Receipt | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const inner = 'receipt' in json ? json.receipt : json
  if (typeof inner !== 'object' || inner === null) return undefined
  const isReceipt = 'format' in inner && inner.format === 'tesp-receipt-1'
  return isReceipt ? (inner as Receipt) : undefined
}

async function check(file: File, hash: string): Promise<Chosen> {
  try {
    const receipt = receiptOf(JSON.parse(await file.text()))
    if (!receipt) return null
    return { receipt, checks: await verifyReceipt(receipt, hash === '' ? {} : { hash }) }
  } catch {
    return null
  }
}

/** The receipt of the chosen file and its checks; undefined before the first check has ended. */
export function useReceipt() {
  const [hash, setHash] = useState('')
  const [file, setFile] = useState<File>()
  const [chosen, setChosen] = useState<Chosen>()
  const trusted = hash.trim().toLowerCase()
  useEffect(() => {
    if (!file) return
    let isLatest = true
    void check(file, trusted).then((checked) => {
      // A check of an earlier file or hash may end later than this one.
      if (isLatest) setChosen(checked)
    })
    return () => {
      isLatest = false
    }
  }, [file, trusted])
  return { hash, chosen, choose: setFile, trust: setHash }
}
