import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { publicKeyOf } from '#runtime/secrets/vapid-keys'
import { testFolder } from '#scripts/testing/temp-folder'
import { developmentSecrets } from './development-secrets.ts'

it('development secrets are made once and readable by their owner only', () => {
  const folder = testFolder()
  const secrets = developmentSecrets(folder)
  expect(developmentSecrets(folder)).toEqual(secrets)
  for (const file of ['secrets.json', 'push-secrets.json']) {
    expect(fs.statSync(path.join(folder, file)).mode & 0o777).toBe(0o600)
  }
  expect(Buffer.from(secrets.DATA_KEY, 'base64')).toHaveLength(32)
  expect(secrets.SESSION_KEYS.length).toBeGreaterThanOrEqual(32)
  expect(publicKeyOf(secrets.VAPID_PRIVATE_KEY)).toHaveLength(87)
  expect(developmentSecrets(testFolder())).not.toEqual(secrets)
})

it('a data folder of an earlier version keeps its secrets and gets the missing keys', () => {
  const folder = testFolder()
  const earlier = { SESSION_KEYS: 'k'.repeat(32), DATA_KEY: Buffer.alloc(32).toString('base64') }
  fs.writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify(earlier))
  const secrets = developmentSecrets(folder)
  expect(secrets).toMatchObject(earlier)
  expect(publicKeyOf(secrets.VAPID_PRIVATE_KEY)).toHaveLength(87)
  expect(Buffer.from(secrets.LEDGER_SEAL_KEY ?? '', 'base64')).toHaveLength(32)
  expect(developmentSecrets(folder)).toEqual(secrets)
})
