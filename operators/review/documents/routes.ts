import Router from '@koa/router'
import type Koa from 'koa'
import { waitingDocuments } from '#db/members/kyc'
import { notFound } from '#operators/actions/not-found'
import { documentPage, listPage } from '#operators/review/pages/pages'
import { field, goTo, reviewerOf, show } from '#operators/review/request'
import { DOCUMENT_POLICY } from '#operators/review/security'
import type { ReviewServices } from '#operators/review/services'
import { RuleError } from '#rules/rule-error'
import { decideDocumentAs, documentWithMember, viewDocument } from './documents.ts'

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
