import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decideAndNotify, deleteOldDocuments, submitDocument } from '#db/members/kyc'
import { inTransaction } from '#db/postgres/statements/transaction'
import { listActions } from '#operators/actions/action-log'
import { operate } from '#operators/ops/testing/operate'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import type { OpsOptions } from './command.ts'
import type { OpsName } from './program.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

/** Output of `npm run ops -- <name>`. */
const printed = (name: OpsName, args: string[] = [], options: OpsOptions = {}) =>
  operate({ db: fresh.db, config: testConfig(fresh) }, name, args, options)

const passport = { documentType: 'passport', mime: 'image/png', bytes: Buffer.from('x') } as const

async function submit(): Promise<number> {
  const { db, dataKey } = fresh
  const userId = await insertMember(db)
  await inTransaction(db, (tx) => submitDocument(tx, dataKey, userId, passport))
  return (await db('kyc_documents').where({ userId }).first('id')).id
}

it('ops kyc history prints the state of each document in words', async () => {
  const { db, dataKey } = fresh
  const decide = (id: number, accepted: boolean) => {
    const decision = { id, accepted, reason: 'blurred' }
    return inTransaction(db, (tx) => decideAndNotify(tx, decision, { dataKey, origin: undefined }))
  }
  const gone = await submit()
  await decide(gone, false)
  await deleteOldDocuments(db, 0)
  const held = await submit()
  await decide(held, true)
  const waiting = await submit()

  const text = await printed('kyc history')
  const line = (id: number) => text.split('\n').find((entry) => entry.startsWith(`${id} `))
  expect(line(gone)).toMatch(/ rejected \(blurred\) on [\d-]{10}, document deleted on [\d-]{10}$/)
  expect(line(held)).toMatch(/ passport .* accepted on [\d-]{10}, document still held$/)
  expect(line(waiting)).toMatch(/ waits for a decision$/)
})

it('ops kyc reject writes one mail', async () => {
  const id = await submit()
  const notAccepted = () => fresh.db('mails').where('subject', 'like', '%not accepted%')
  const before = (await notAccepted()).length
  const text = await printed('kyc reject', [String(id)], { reason: 'The picture is blurred' })
  expect(text).toMatch(
    /is unverified again, and gets a mail with the reason: The picture is blurred$/,
  )
  expect((await notAccepted()).length - before).toBe(1)
})

it('ops kyc reject without a reason changes nothing', async () => {
  const id = await submit()
  await expect(printed('kyc reject', [String(id)])).rejects.toThrow(
    "required option '--reason <text>'",
  )
  expect((await fresh.db('kyc_documents').where({ id }).first()).decidedAt).toBeNull()
})

it('ops kyc show writes a private file and logs the view', async () => {
  const id = await submit()
  const { userId } = await fresh.db('kyc_documents').where({ id }).first('userId')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-kyc-'))
  const out = path.join(folder, 'document')
  try {
    await printed('kyc show', [String(id)], { out })
    expect(fs.readFileSync(out, 'utf8')).toBe('x')
    expect(fs.statSync(out).mode & 0o077).toBe(0)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  expect(await listActions(fresh.db, 9, { memberId: userId })).toMatchObject([
    { action: 'kyc show', details: { document: id }, reason: 'identity check' },
  ])
})

it('ops kyc show leaves a file that exists as it is, and logs no view', async () => {
  const id = await submit()
  const { userId } = await fresh.db('kyc_documents').where({ id }).first('userId')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-kyc-'))
  const out = path.join(folder, 'document')
  try {
    fs.writeFileSync(out, 'public', { mode: 0o644 })
    await expect(printed('kyc show', [String(id)], { out })).rejects.toThrow('exists')
    expect(fs.readFileSync(out, 'utf8')).toBe('public')
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  expect(await listActions(fresh.db, 9, { memberId: userId })).toEqual([])
})

it('ops kyc accept is logged with its reason', async () => {
  const id = await submit()
  await printed('kyc accept', [String(id)], { reason: 'the picture matches' })
  const { userId, accepted } = await fresh.db('kyc_documents').where({ id }).first()
  expect(accepted).toBe(true)
  expect(await listActions(fresh.db, 9, { memberId: userId })).toMatchObject([
    { action: 'kyc accept', details: { document: id }, reason: 'the picture matches' },
  ])
})
