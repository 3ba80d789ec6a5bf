import { atom } from 'jotai'
import { newIdempotencyKey } from '#client/commands/attempt.ts'
import type { CommandDefinition } from '#client/commands/command-type.ts'
import { commandsAtom, issueCommand, runningCommand } from '#client/commands/commands.ts'
import { currentUser, OPENED, routeQuery, setUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { recheckUser, refresh } from '#client/data/refresh.ts'
import { upload } from '#client/data/upload.ts'
import { i18n } from '#client/language/language.ts'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import { DOCUMENT_BYTES, type DocumentType } from '#contract/forms/document'
import type { Answers } from '#contract/routes'

const MUTEX_KEY = 'document'

const fractionAtom = atom(0)

/** Fraction of the document that is uploaded, 0…1; null while no upload is under way. */
export const documentProgressAtom = atom((get) =>
  runningCommand(get(commandsAtom), MUTEX_KEY) ? get(fractionAtom) : null,
)

const DOCUMENT_TYPES = ['image/jpeg', 'image/png', 'application/pdf']
/** With extensions, because some platforms filter by extension only. */
export const ACCEPTED_DOCUMENTS = ['.jpg', '.jpeg', '.png', '.pdf', ...DOCUMENT_TYPES].join(',')

export function documentProblem({ type, size }: File) {
  if (!DOCUMENT_TYPES.includes(type)) return 'wrongType'
  if (size > DOCUMENT_BYTES) return 'tooLarge'
  if (size === 0) return 'empty'
  return undefined
}

/** By id: a file cannot be stored with its command. */
const files = new Map<string, File>()

type Submission = { documentType: DocumentType; fileId: string }

export const uploadDefinition: CommandDefinition<Submission, Answers['POST /api/user/kyc']> = {
  name: 'upload',
  mutexKey: () => MUTEX_KEY,
  hasInput: ({ fileId }) => files.has(fileId),
  send({ documentType, fileId }, idempotencyKey) {
    const form = new FormData()
    form.set('documentType', documentType)
    form.set('document', files.get(fileId) ?? '')
    store.set(fractionAtom, 0)
    return upload('POST /api/user/kyc', form, idempotencyKey, (fraction) =>
      store.set(fractionAtom, fraction),
    )
  },
  onDone({ kycStatus }, { input: { documentType }, late }) {
    const user = currentUser()
    // The first answer to a repeated request may be older than the decision.
    if (late) recheckUser()
    else if (user) setUser({ ...user, kycStatus, kycDocumentType: documentType })
    void refresh('/api/user/kyc')
    toast({ title: i18n.t('account:kyc.doneTitle'), description: i18n.t('account:kyc.done') })
  },
  onRefused(error) {
    showFailure(i18n.t('account:kyc.failedTitle'), error, i18n.t('account:kyc.failed'))
    // A document may have been submitted on another device.
    recheckUser()
  },
}

/** Resolves to whether the document was accepted; ignored during an upload. */
export async function submitDocument(documentType: DocumentType, document: File): Promise<boolean> {
  const fileId = newIdempotencyKey()
  files.set(fileId, document)
  const { state } = await issueCommand(uploadDefinition, { documentType, fileId })
  // A command that waits still needs its file.
  if (state !== 'waiting') files.delete(fileId)
  return state === 'done'
}

export const identityCheckAtom = routeQuery('/api/user/kyc', OPENED)

export function retentionText(days: number | undefined): string {
  if (days === undefined) return i18n.t('account:kyc.keptUnknown')
  return days === 0 ? i18n.t('account:kyc.notKept') : i18n.t('account:kyc.kept', { count: days })
}
