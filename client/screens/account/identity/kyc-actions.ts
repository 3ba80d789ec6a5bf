import { atom } from 'jotai'
import { recheckUser, store, userAtom } from '#client/data/member-data.ts'
import { upload } from '#client/data/upload.ts'
import { replaceUser, sayFailed } from '#client/screens/account/profile-actions.ts'
import { toast } from '#client/ui/toast.tsx'
import { DOCUMENT_BYTES, type DocumentType } from '#contract/forms'

/** Fraction of the document that was sent, 0…1; null while none is on its way. */
export const documentProgressAtom = atom<number | null>(null)

const DOCUMENT_KINDS = ['image/jpeg', 'image/png', 'application/pdf']
/** For the file dialog: some know a file by its name alone. */
export const ACCEPTED_DOCUMENTS = ['.jpg', '.jpeg', '.png', '.pdf', ...DOCUMENT_KINDS].join(',')

/** Why a file cannot be handed in; nothing where it can. */
export function documentProblem({ type, size }: File): string | undefined {
  if (!DOCUMENT_KINDS.includes(type)) return 'The document must be a JPG, PNG or PDF file'
  if (size > DOCUMENT_BYTES) return 'The document must not be larger than 5 MB'
  if (size === 0) return 'The document is empty'
  return undefined
}

/** Hands a document in for review; says whether it was taken. */
export async function submitDocument(documentType: DocumentType, document: File): Promise<boolean> {
  if (store.get(documentProgressAtom) !== null) return false
  const form = new FormData()
  form.set('documentType', documentType)
  form.set('document', document)
  store.set(documentProgressAtom, 0)
  try {
    const { kycStatus } = await upload('POST /api/user/kyc', form, (fraction) =>
      store.set(documentProgressAtom, fraction),
    )
    const user = store.get(userAtom).data
    if (user) replaceUser({ ...user, kycStatus, kycDocumentType: documentType })
    toast({
      title: 'KYC submitted',
      description: 'Your documents have been submitted and are pending review',
    })
    return true
  } catch (error) {
    sayFailed('Failed to submit KYC', error, 'Failed to submit KYC documents')
    // Only the answer may have been lost, or the documents were handed in elsewhere.
    recheckUser()
    return false
  } finally {
    store.set(documentProgressAtom, null)
  }
}
