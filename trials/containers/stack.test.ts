import { afterEach, expect, it, vi } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { compose, docker } from './stack.ts'

afterEach(() => vi.unstubAllEnvs())

it('a failed call of the engine says so', async () => {
  vi.stubEnv('PATH', testFolder())
  await expect(docker('ps')).rejects.toThrow('docker')
  await expect(compose(['ps'], {})).rejects.toThrow()
})
