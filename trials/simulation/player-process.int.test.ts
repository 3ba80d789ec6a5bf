import { expect, it, onTestFinished } from 'vitest'
import { Forked } from '#trials/kit/fork'
import type { PlayerCalls } from './player-process.ts'

it('a world that cannot be played, or whose process has ended, fails', async () => {
  const player = new Forked<PlayerCalls>('trials/simulation/player-process.ts')
  onTestFinished(() => player.end())
  const play = () => player.call('play', 'postgres://postgres@127.0.0.1:1/', { seed: 1 })
  await expect(play()).rejects.toThrow('ECONNREFUSED')
  const playing = play()
  player.end()
  await expect(playing).rejects.toThrow('player-process.ts has ended')
  await expect(play()).rejects.toThrow('player-process.ts has ended')
})
