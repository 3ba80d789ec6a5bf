import Router from '@koa/router'
import type Koa from 'koa'
import {
  type Decision,
  type DocumentRow,
  decideAndNotify,
  type KycDocument,
  readDocument,
  waitingDocuments,
} from '#db/members/kyc'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { notFound, recordAction } from '#operators/actions/action-log'
import { publishChange, queueMails } from '#operators/ops/redis'
import { RuleError } from '#rules/rule-error'
import { DOCUMENT_POLICY, field, goTo, type ReviewServices, reviewerOf, show } from './http.ts'
import { documentPage, listPage } from './pages.ts'

/** A document without its content, and its member's names. */
export async function documentWithMember(
  db: Db,
  id: number,
): Promise<DocumentRow & { userId: number; username: string; fullName: string | null }> {
  const document = await db('kyc_documents as d')
    .join('users as u', 'u.id', 'd.userId')
    .where('d.id', id)
    .select('d.id', 'd.userId', 'd.documentType', 'd.mime', 'd.createdAt', 'd.decidedAt')
    .select('d.accepted', 'd.reason', 'd.deletedAt', 'u.username', 'u.fullName')
    .first()
  if (!document) throw notFound('document')
  return document
}

/** The bytes of a document, decrypted in memory only; the view is logged before they are shown. */
export async function viewDocument(
  { db, config }: Pick<ReviewServices, 'db' | 'config'>,
  operator: string,
  id: number,
): Promise<{ bytes: Buffer; mime: KycDocument['mime'] }> {
  return inTransaction(db, async (tx) => {
    const { userId: memberId, mime } = await documentWithMember(tx, id)
    const bytes = await readDocument(tx, config.dataKey, id)
    const entry = { operator, action: 'kyc view', memberId, details: { document: id } }
    await recordAction(tx, { ...entry, reason: 'identity check' })
    return { bytes, mime }
  })
}

/**
 * Decides on a document, logs it, tells the member's open pages and queues the mail.
 * @param reason for the log; of a rejection the member reads it
 * @throws {RuleError} `not_found` for a decided document, `bad_input` for a bad reason
 */
export async function decideDocumentAs(
  { db, config, redisUrl }: Pick<ReviewServices, 'db' | 'config' | 'redisUrl'>,
  operator: string,
  decision: Decision,
  reason: string,
): Promise<void> {
  const mails = { dataKey: config.dataKey, origin: config.publicOrigins[0] }
  const { memberId, mailId } = await inTransaction(db, async (tx) => {
    const decided = await decideAndNotify(tx, decision, mails)
    const action = decision.accepted ? 'kyc accept' : 'kyc reject'
    const { memberId } = decided
    const details = { document: decision.id }
    await recordAction(tx, { operator, action, memberId, details, reason })
    return decided
  })
  const place = { config, redisUrl }
  await publishChange(place, {
    kind: 'members',
    memberIds: [memberId],
    topics: ['account', 'inbox'],
  })
  await queueMails(place, [mailId])
}

/** The document's id in the path. */
function idOf(ctx: Koa.Context): number {
  const { id } = ctx.params
  if (!/^\d{1,15}$/.test(id)) throw notFound('document')
  return Number(id)
}

/** The list, a document, its bytes and the two decisions. */
export function documentRoutes(services: ReviewServices): Koa.Middleware {
  const { db } = services
  const router = new Router()

  const showDocument = async (ctx: Koa.Context, message?: string) => {
    const document = await documentWithMember(db, idOf(ctx))
    show(ctx, documentPage(reviewerOf(ctx).name, document, message), message ? 400 : 200)
  }

  const decide = (accepted: boolean) => async (ctx: Koa.Context) => {
    const [id, reason] = [idOf(ctx), field(ctx, 'reason')]
    const decision = accepted
      ? { id, accepted: true as const }
      : { id, accepted: false as const, reason }
    try {
      await decideDocumentAs(services, reviewerOf(ctx).name, decision, reason)
    } catch (error) {
      const isBadReason = error instanceof RuleError && error.code === 'bad_input'
      if (!isBadReason) throw error
      return showDocument(ctx, error.message)
    }
    goTo(ctx, '/')
  }

  router.get('/', async (ctx: Koa.Context) =>
    show(ctx, listPage(reviewerOf(ctx).name, await waitingDocuments(db))),
  )
  router.get('/documents/:id', (ctx: Koa.Context) => showDocument(ctx))
  router.get('/documents/:id/content', async (ctx: Koa.Context) => {
    const { bytes, mime } = await viewDocument(services, reviewerOf(ctx).name, idOf(ctx))
    const kind = mime === 'application/pdf' ? 'pdf' : 'picture'
    ctx.set('Content-Security-Policy', DOCUMENT_POLICY[kind])
    ctx.set('Content-Disposition', 'inline')
    ctx.type = mime
    ctx.body = bytes
  })
  router.post('/documents/:id/accept', decide(true))
  router.post('/documents/:id/reject', decide(false))
  return router.routes() as unknown as Koa.Middleware
}
