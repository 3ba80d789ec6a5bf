import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Forked } from '#trials/kit/fork'
import type { PlayerCalls } from './player-process.ts'

it('a world that cannot be played, or whose process has ended, fails', async () => {
  const player = new Forked<PlayerCalls>('trials/simulation/player-process.ts')
  onTestFinished(() => player.end())
  // It accepts connections and never answers, so no answer comes before the process ends.
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const play = (at: number) =>
    player.call('play', `postgres://postgres@127.0.0.1:${at}/`, { seed: 1 })
  await expect(play(1)).rejects.toThrow('ECONNREFUSED')
  const playing = play(port)
  player.end()
  await expect(playing).rejects.toThrow('player-process.ts has ended')
  await expect(play(1)).rejects.toThrow('player-process.ts has ended')
})
