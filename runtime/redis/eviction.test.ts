import { expect, it } from 'vitest'
import { evictionPolicy, memoryShare } from './eviction.ts'

const answering = (...lines: string[]) => ({
  info: async () => ['# Memory', 'used_memory_human:1.00M', ...lines, ''].join('\r\n'),
})

it('the policy and the share of the memory are read from what Redis says', async () => {
  const redis = answering('used_memory:1048576', 'maxmemory:4194304', 'maxmemory_policy:noeviction')
  expect(await evictionPolicy(redis)).toBe('noeviction')
  expect(await memoryShare(redis)).toBe(0.25)
  expect(await memoryShare(answering('used_memory:1048576', 'maxmemory:0'))).toBe(0)
})
