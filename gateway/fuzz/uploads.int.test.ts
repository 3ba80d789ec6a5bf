import { afterAll, beforeAll, expect, it } from 'vitest'
import { Semaphore } from '#gateway/services/mutex'
import { useProduct } from '#scripts/testing/gateway/use-product'
import type { Visitor } from '#scripts/testing/gateway/visitor'
import type { FuzzCase } from './cases/case.ts'
import { uploadCases, VALID_UPLOADS } from './cases/upload-cases.ts'
import { NO_LIMITS, newAccounts } from './harness/accounts.ts'
import { violation } from './harness/oracle.ts'
import { type RawResponse, Sender } from './harness/sender.ts'
import { tableDigests } from './harness/table-digests.ts'

/** Below the hourly limit of one member, so that no rate limit rejects an upload. */
const PER_MEMBER = 15
const UPLOADS = uploadCases()
/** Uploads at once: with all of them a busy machine answers some with 503. */
const atOnce = new Semaphore(4)
const product = useProduct({ env: NO_LIMITS })
let members: Visitor[]
let sender: Sender

beforeAll(async () => {
  await product.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true })
  members = await newAccounts(product, Math.ceil(UPLOADS.length / PER_MEMBER) + 1)
  sender = new Sender(product.urls[0] ?? '')
})
afterAll(() => sender.close())

function describeViolation(upload: FuzzCase, response: RawResponse): string | undefined {
  const problem = violation(upload, response)
  return problem && `${upload.name}: ${problem}`.slice(0, 300)
}

it('invalid uploads of members are rejected and not stored', async () => {
  expect(UPLOADS).not.toEqual([])
  const before = await tableDigests(product.db)
  const violations = await Promise.all(
    UPLOADS.map(async (upload, at) => {
      const cookie = members[at % members.length]?.jar.header()
      return describeViolation(upload, await atOnce.run(() => sender.send(upload, cookie)))
    }),
  )
  expect(violations.filter((text) => text !== undefined)).toEqual([])
  expect(await tableDigests(product.db)).toEqual(before)
  expect(await product.db('kyc_documents')).toEqual([])
})

it('uploads of visitors are rejected', async () => {
  const violations = await Promise.all(
    UPLOADS.map(async (upload) => {
      const anonymous = { ...upload, statuses: [400, 401, 413, 415] }
      return describeViolation(anonymous, await atOnce.run(() => sender.send(anonymous)))
    }),
  )
  expect(violations.filter((text) => text !== undefined)).toEqual([])
  expect(await product.db('kyc_documents')).toEqual([])
})

it('valid uploads are accepted', async () => {
  for (const [at, upload] of VALID_UPLOADS.entries()) {
    const { status, body } = await sender.send(upload, members[at]?.jar.header())
    expect(status, body).toBe(200)
  }
})
