import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Product, startProduct } from '#gateway/testing/product'
import type { Visitor } from '#gateway/testing/visitor'
import { NO_LIMITS, newCrowd } from './accounts.ts'
import { problemOf } from './oracle.ts'
import { Sender } from './sender.ts'
import { tableDigests } from './table-digests.ts'
import { badUploads, FINE_UPLOADS } from './upload-cases.ts'

/** Uploads of one member in an hour, and fewer: a limit is not what refuses them here. */
const EACH = 15
const UPLOADS = badUploads()
let product: Product
let crowd: Visitor[]
let sender: Sender

beforeAll(async () => {
  product = await startProduct({ env: NO_LIMITS })
  crowd = await newCrowd(product, Math.ceil(UPLOADS.length / EACH) + 1)
  sender = new Sender(product.urls[0] ?? '')
})
afterAll(async () => {
  sender.close()
  await product.close()
})

it('there are more than 100 bad uploads', () => expect(UPLOADS.length).toBeGreaterThan(100))

it('each bad upload of a member is refused, and none is kept', async () => {
  const before = await tableDigests(product.db)
  const told = await Promise.all(
    UPLOADS.map(async (upload, at) => {
      const cookie = crowd[at % crowd.length]?.jar.header()
      const problem = problemOf(upload, await sender.send(upload, cookie))
      return problem && `${upload.name}: ${problem}`.slice(0, 300)
    }),
  )
  expect(told.filter((problem) => problem !== undefined)).toEqual([])
  expect(await tableDigests(product.db)).toEqual(before)
  expect(await product.db('kyc_documents')).toEqual([])
})

it('each upload of a visitor is refused', async () => {
  const told = await Promise.all(
    UPLOADS.map(async (upload) => {
      const asked = { ...upload, statuses: [400, 401, 413, 415] }
      const problem = problemOf(asked, await sender.send(asked))
      return problem && `${upload.name}: ${problem}`.slice(0, 300)
    }),
  )
  expect(told.filter((problem) => problem !== undefined)).toEqual([])
  expect(await product.db('kyc_documents')).toEqual([])
})

it('what the bad ones are made of is taken', async () => {
  for (const [at, upload] of FINE_UPLOADS.entries()) {
    const { status, body } = await sender.send(upload, crowd[at]?.jar.header())
    expect(status, body).toBe(200)
  }
})
