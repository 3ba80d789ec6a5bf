import { call, messageOf } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { saveFile } from '#client/ui/save-file.ts'

/** How the download of a proof ended; `failed` has a message for the member. */
export type ProofOutcome =
  | { state: 'saved'; name: string }
  | { state: 'notSealed' }
  | { state: 'failed'; message: string }

/** Colons of ledger ids are not allowed in file names of Windows. */
const fileNameOf = (id: string) => `tesp-proof-${id.replace(/[^\w.-]+/g, '-')}.json`

/** Saves the sealed receipt of a row as the JSON file that `/verify` and `npm run verify` read. */
export async function downloadProof(id: string): Promise<ProofOutcome> {
  try {
    const { receipt } = await call('GET /api/ledger/receipt', { query: { id } })
    if (!receipt) return { state: 'notSealed' }
    const name = fileNameOf(id)
    saveFile(name, JSON.stringify(receipt, null, 2))
    return { state: 'saved', name }
  } catch (error) {
    return { state: 'failed', message: messageOf(error, i18n.t('noAnswer')) }
  }
}
