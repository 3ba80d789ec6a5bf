import type { Answers } from '#contract/routes'
import { flagsFor } from '#db/app-info'
import { executeOnce } from '#db/members/execute-once'
import { type KycDocument, lastRejection, submitDocument } from '#db/members/kyc'
import { userView } from '#db/members/members'
import { updateProfile } from '#db/members/profile'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { type ArrivedForm, readDocumentForm, readForm } from '#gateway/http/request-body'
import { command, idempotencyKeyOf, memberOf, routesOf, signedIn } from '#gateway/http/route'
import { Semaphore } from '#gateway/services/mutex'
import { API_TEXTS } from '#rules/api-texts'
import { RuleError } from '#rules/rule-error'
import { productVersion } from '#runtime/process/root'

const KINDS: readonly string[] = ['image/jpeg', 'image/png', 'application/pdf']
/** Signatures of an archive or a page that is hidden at the start or end of a document. */
const HIDDEN = ['PK\u0005\u0006', '<html', '<script', '<svg', '<?php']

/** By its bytes, because file name and declared type are client input; throws `document_refused`. */
async function kindOf(bytes: Buffer): Promise<KycDocument['mime']> {
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = (await fileTypeFromBuffer(bytes))?.mime ?? ''
  const edges = Buffer.concat([bytes.subarray(0, 1024), bytes.subarray(-66_000)])
    .toString('latin1')
    .toLowerCase()
  const isPdf = mime === 'application/pdf'
  const starts = !isPdf || bytes.subarray(0, 5).toString('latin1') === '%PDF-'
  // PDF readers accept the signature anywhere in the first 1,024 bytes, even in a picture.
  const hidden = isPdf ? HIDDEN : [...HIDDEN, '%PDF-']
  if (
    !KINDS.includes(mime) ||
    !starts ||
    hidden.some((signature) => edges.includes(signature.toLowerCase()))
  ) {
    throw new RuleError('document_refused', 'The document must be a JPG, PNG or PDF file')
  }
  return mime as KycDocument['mime']
}

/** With the product's version: an upload names no version, and no client is newer. Throws `kyc_not_open`. */
async function assertKycIsOpen(tx: Tx, memberId: number): Promise<void> {
  const flags = await flagsFor(tx, memberId, productVersion())
  if (!flags.includes('kyc')) throw new RuleError('kyc_not_open', API_TEXTS.documentsClosed)
}

/** Documents in memory at a time: a slow one arrives for minutes. */
const uploads = new Semaphore(8)
/** Fewer are stored at a time, because each is then held in memory several times. */
const storing = new Semaphore(4)

const SUBMITTED: Answers['POST /api/user/kyc'] = {
  success: true,
  message: 'Your documents have been submitted and are pending review',
  kycStatus: 'pending',
}

const updateOnce = command<'PATCH /api/user/profile', undefined>(
  ['account'],
  async ({ tx, memberId, body }) => userView(await updateProfile(tx, memberId, body)),
)

export const profileRoutes = routesOf('account', {
  'PATCH /api/user/profile': {
    summary:
      'Changes the profile, the avatar or the language of mails; an absent field stays as it is.',
    idempotent: true,
    handle: async (call) => {
      const { services, ctx, body } = call
      // The picture's size is read in the thread of all requests.
      if (body.avatar?.startsWith('data:')) {
        await services.limits.use('avatar-member', String(await memberOf(services, ctx)))
      }
      return updateOnce(call)
    },
  },
  'GET /api/user/kyc': {
    summary: 'Reads how long documents are kept, and why the last one was rejected.',
    handle: signedIn(async ({ services, memberId }) => ({
      retentionDays: services.config.kycRetentionDays,
      rejection: await lastRejection(services.db, memberId),
    })),
  },
  'POST /api/user/kyc': {
    summary: 'Submits an identity document for review.',
    idempotent: true,
    errors: ['kyc_not_open', 'document_refused'],
    handle: signedIn(async ({ services, ctx, memberId, signIn }) => {
      await services.limits.use('upload-member', String(memberId))
      const key = idempotencyKeyOf(ctx)
      const store = async (form: ArrivedForm) => {
        const { documentType, bytes } = await readDocumentForm(form)
        const document = { documentType, bytes, mime: await kindOf(bytes) }
        return inTransaction(services.db, async (tx) =>
          executeOnce(tx, { signIn, route: 'POST /api/user/kyc', key }, async () => {
            await assertKycIsOpen(tx, memberId)
            await submitDocument(tx, services.config.dataKey, memberId, document)
            return SUBMITTED
          }),
        )
      }
      const answer = await uploads.run(async () => {
        const form = await readForm(ctx.req)
        return storing.run(() => store(form))
      })
      void services.changes.publishMembers([memberId], ['account'])
      return answer
    }),
  },
})
