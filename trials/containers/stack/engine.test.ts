import { afterEach, expect, it, vi } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { compose, docker, missingEngine } from './engine.ts'

afterEach(() => vi.unstubAllEnvs())

it('a machine without a container engine is named as the reason to skip', () => {
  vi.stubEnv('PATH', testFolder())
  expect(missingEngine()).toBe('no container engine answers (docker is missing)')
})

it('a failed call of the engine says so', async () => {
  vi.stubEnv('PATH', testFolder())
  await expect(docker('ps')).rejects.toThrow('docker')
  await expect(compose(['ps'], {})).rejects.toThrow()
})
