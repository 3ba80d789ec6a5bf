import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { developmentSecrets } from './secrets.ts'

it('development secrets are made once and readable by their owner only', () => {
  const folder = testFolder()
  const secrets = developmentSecrets(folder)
  expect(developmentSecrets(folder)).toEqual(secrets)
  expect(fs.statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(Buffer.from(secrets.DATA_KEY, 'base64')).toHaveLength(32)
  expect(secrets.SESSION_KEYS.length).toBeGreaterThanOrEqual(32)
  expect(developmentSecrets(testFolder())).not.toEqual(secrets)
})
