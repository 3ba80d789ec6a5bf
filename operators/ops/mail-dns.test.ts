import { generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { Config } from '#runtime/config/config'
import { testFolder } from '#scripts/testing/temp-folder'
import { senderProblems } from './mail-dns.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

let zone: Record<string, string[][]>
beforeEach(() => {
  zone = {
    'tesp.example': [['google-site-verification=x'], ['v=spf1 ', 'include:mail.example -all']],
    '_dmarc.tesp.example': [['v=DMARC1; p=reject']],
    // A long record comes in pieces of 255 bytes.
    'tesp._domainkey.tesp.example': [[`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)]],
  }
})

async function resolve(name: string): Promise<string[][]> {
  const found = zone[name]
  if (!found) throw Object.assign(new Error(`queryTxt ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  return found
}

function problems(from = 'TESP Network <no-reply@tesp.example>', isSigned = true) {
  const file = path.join(testFolder(), 'dkim.pem')
  fs.writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const dkimKeyFile = isSigned ? file : undefined
  const config = { mailFrom: from, dkimSelector: 'tesp', dkimKeyFile }
  return senderProblems(config as Config, resolve)
}

it('a domain with SPF, DKIM and DMARC has no problem; a subdomain inherits DMARC', async () => {
  expect(await problems()).toEqual([])
  zone['mail.tesp.example'] = [['v=spf1 -all']]
  expect(await problems('no-reply@mail.tesp.example', false)).toEqual([])
})

it('missing records are named with the record to add', async () => {
  zone = {}
  const [spf, dkim, dmarc, ...others] = await problems()
  expect(spf).toMatch(/^tesp\.example has no SPF record/)
  expect(dkim).toContain(`add the TXT record "v=DKIM1; k=rsa; p=${key}"`)
  expect(dmarc).toMatch(/^_dmarc\.tesp\.example has no DMARC record/)
  expect(others).toEqual([])
})

it('two SPF records, another key and a missing key of a subdomain are named', async () => {
  zone['tesp.example'] = [['v=spf1 -all'], ['v=spf1 mx -all']]
  zone['tesp._domainkey.tesp.example'] = [['v=DKIM1; p=AAAA']]
  const [spf, dkim] = await problems()
  expect(spf).toMatch(/2 SPF records/)
  expect(dkim).toMatch(/another DKIM key/)
  expect(await problems('no-reply@mail.tesp.example')).toContainEqual(
    expect.stringMatching(/no DKIM key at tesp\._domainkey\.mail\.tesp\.example/),
  )
})

it('name servers that do not answer are an error, not a missing record', async () => {
  const timeout = async () => {
    throw Object.assign(new Error('queryTxt ETIMEOUT'), { code: 'ETIMEOUT' })
  }
  await expect(senderProblems({ mailFrom: 'a@b.example' } as Config, timeout)).rejects.toThrow(
    'ETIMEOUT',
  )
})
