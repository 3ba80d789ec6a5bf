import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { decideDocument, deleteOldDocuments, submitDocument } from '#db/members/kyc'
import { inTransaction } from '#db/postgres/transaction'
import { readConfig } from '#db/process/config'
import { testSecrets } from '#db/testing/database'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'
import { OPS } from '#scripts/ops/commands'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

/** Output of `npm run ops -- documents`. */
async function printed(): Promise<string> {
  const { db, url, redisUrl } = fresh
  const env = { ...testSecrets(), DATABASE_URL: url, REDIS_URL: redisUrl }
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  await OPS.documents?.run({ db, config: readConfig(env), redisUrl, args: [], options: {} })
  log.mockRestore()
  return lines.join('\n')
}

it('ops documents prints the state of each document in words', async () => {
  const { db, dataKey } = fresh
  const passport = { documentType: 'passport', mime: 'image/png', bytes: Buffer.from('x') } as const
  const submit = async () => {
    const userId = await insertMember(db)
    await inTransaction(db, (tx) => submitDocument(tx, dataKey, userId, passport))
    return (await db('kyc_documents').where({ userId }).first('id')).id
  }
  const decide = (id: number, accepted: boolean) =>
    inTransaction(db, (tx) => decideDocument(tx, id, accepted, 'blurred'))
  const gone = await submit()
  await decide(gone, false)
  await deleteOldDocuments(db, 0)
  const held = await submit()
  await decide(held, true)
  const waiting = await submit()

  const text = await printed()
  const line = (id: number) => text.split('\n').find((entry) => entry.startsWith(`${id} `))
  expect(line(gone)).toMatch(/: rejected \(blurred\) on [\d-]{10}, document deleted on [\d-]{10}$/)
  expect(line(held)).toMatch(/, passport of .*: accepted on [\d-]{10}, document still held$/)
  expect(line(waiting)).toMatch(/: waits for a decision$/)
  expect(text).toMatch(/deleted 30 days after the decision\.$/)
})
