import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { readConfig } from '#runtime/config/config'
import { testFolder } from '#scripts/testing/temp-folder'
import { type MailServer, mailServer } from '#scripts/testing/workers/mail-server'
import { dkimKey, domainOfSender } from './mail-transport.ts'
import { createMailer } from './mailer.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyFile = (name: string, key: KeyObject) => {
  const file = path.join(testFolder(), name)
  fs.writeFileSync(file, key.export({ type: 'pkcs8', format: 'pem' }))
  return file
}

/** What DNS answers: the name of the selector holds the public key. */
const NAME = 'mail2026._domainkey.tesp.example'
const publicKey = rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
async function resolver(name: string, type: string) {
  if (type === 'TXT' && name === NAME) return [[`v=DKIM1; k=rsa; p=${publicKey}`]]
  throw Object.assign(new Error(`no ${type} record at ${name}`), { code: 'ENOTFOUND' })
}

let server: MailServer
beforeAll(async () => {
  server = await mailServer()
  await server.start()
})
afterAll(() => server.stop())

const config = (more: Record<string, string>) =>
  readConfig({
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    SESSION_KEYS: 'x'.repeat(32),
    DATA_KEY: Buffer.alloc(32).toString('base64'),
    SMTP_URL: server.url,
    MAIL_FROM: 'TESP Network <no-reply@tesp.example>',
    ...more,
  })

/** The mail as it arrives. */
async function sent(more: Record<string, string>): Promise<string> {
  const mailer = createMailer(config(more))
  onTestFinished(() => mailer.close())
  server.mails.length = 0
  const mail = mailTexts('vi').verificationCode('123456')
  const row = { id: 1, to: 'ann@test.example', attempts: 0, createdAt: new Date() }
  const stored = { ...mail, ...row, unsubscribes: 7 }
  await mailer.send(stored)
  return server.mails[0] ?? ''
}

/** `pass`, `fail`, …: the result of each signature. */
async function resultsOf(mail: string): Promise<string[]> {
  const { results } = await dkimVerify(mail, { resolver })
  return results.map(({ status }) => status.result)
}

it('a mail is signed for the domain of its sender, and a changed one is not valid', async () => {
  const mail = await sent({
    DKIM_SELECTOR: 'mail2026',
    DKIM_KEY_FILE: keyFile('rsa.pem', rsa.privateKey),
  })
  const { results } = await dkimVerify(mail, { resolver })
  expect(results).toMatchObject([
    { signingDomain: 'tesp.example', selector: 'mail2026', status: { result: 'pass' } },
  ])
  expect(results[0]?.status.aligned).toBe('tesp.example')
  const [, signed = ''] = /^DKIM-Signature:[\s\S]*?\sh=([^;]+);/m.exec(mail) ?? []
  expect(signed.toLowerCase().split(/[:\s]+/)).toContain('list-unsubscribe-post')
  expect(await resultsOf(mail.replace('ann@test.example', 'eve@test.example'))).toEqual(['fail'])
})

it('a mail is not signed without a key, and has a part of text and one of HTML', async () => {
  const mail = await sent({})
  expect(await resultsOf(mail)).toEqual(['none'])
  expect(mail).toContain('Content-Type: multipart/alternative')
  expect(mail).toContain('Content-Type: text/plain; charset=utf-8')
  expect(mail).toContain('Content-Type: text/html; charset=utf-8')
})

it('a key that cannot sign is named at the start', () => {
  const with_ = (file: string) => dkimKey(config({ DKIM_KEY_FILE: file }))
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  expect(() => with_(keyFile('ed.pem', ed25519))).toThrow(/openssl genrsa/)
  expect(() => with_('/none.pem')).toThrow(/^DKIM_KEY_FILE holds no private key/)
})

it.each([
  ['TESP Network <no-reply@tesp.example>', 'tesp.example'],
  ['no-reply@Mail.Tesp.example', 'mail.tesp.example'],
])('the domain of the sender %s is %s', (from, domain) => {
  expect(domainOfSender(from)).toBe(domain)
})
