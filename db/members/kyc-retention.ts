import type { Db } from '#db/postgres/transaction'

/**
 * Deletes the bytes of documents that were decided about `days` ago or earlier, in one statement.
 * The rows stay for the operators, with decision, time and reason; a document without a decision is
 * never touched.
 * @returns how many documents were deleted
 */
export async function deleteOldDocuments(db: Db, days: number): Promise<number> {
  const { rows } = await db.raw(
    `with gone as (
       update kyc_documents set sealed = null, "deletedAt" = now()
       where sealed is not null and "decidedAt" <= now() - :days * interval '1 day'
       returning id, "userId"
     ), unlinked as (
       update users u set "kycDocumentUrl" = null from gone
       where u.id = gone."userId" and u."kycDocumentUrl" = 'kyc:' || gone.id
     )
     select count(*) as count from gone`,
    { days },
  )
  return rows[0].count
}
