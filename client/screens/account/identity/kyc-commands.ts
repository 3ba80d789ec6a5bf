import { atom } from 'jotai'
import { recheckUser, refresh, store, userAtom } from '#client/data/member-data.ts'
import { upload } from '#client/data/upload.ts'
import { replaceUser, showFailure } from '#client/screens/account/profile-commands.ts'
import { toast } from '#client/ui/toast.tsx'
import { DOCUMENT_BYTES, type DocumentType } from '#contract/forms'
import { IDENTITY_URL } from './identity-check.ts'

/** Fraction of the document that is uploaded, 0…1; null while no upload runs. */
export const documentProgressAtom = atom<number | null>(null)

const DOCUMENT_TYPES = ['image/jpeg', 'image/png', 'application/pdf']
/** For the file dialog; some platforms filter by extension only. */
export const ACCEPTED_DOCUMENTS = ['.jpg', '.jpeg', '.png', '.pdf', ...DOCUMENT_TYPES].join(',')

/** Why a file cannot be submitted; undefined if it can. */
export function documentProblem({ type, size }: File): string | undefined {
  if (!DOCUMENT_TYPES.includes(type)) return 'The document must be a JPG, PNG or PDF file'
  if (size > DOCUMENT_BYTES) return 'The document must not be larger than 5 MB'
  if (size === 0) return 'The document is empty'
  return undefined
}

/** Submits a document for review; resolves to whether it was accepted. Ignored during an upload. */
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
    void refresh(IDENTITY_URL)
    toast({
      title: 'KYC submitted',
      description: 'Your documents have been submitted and are pending review',
    })
    return true
  } catch (error) {
    showFailure('Failed to submit KYC', error, 'Failed to submit KYC documents')
    // The upload may have succeeded without an answer, or on another device.
    recheckUser()
    return false
  } finally {
    store.set(documentProgressAtom, null)
  }
}
