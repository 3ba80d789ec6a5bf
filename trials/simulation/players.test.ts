import { expect, it, onTestFinished } from 'vitest'
import { Players } from '#trials/simulation/players'

it('a world that cannot be played, or whose process has ended, fails', async () => {
  const players = new Players(1)
  onTestFinished(() => players.end())
  const world = { seed: 1, server: 'postgres://postgres@127.0.0.1:1/' }
  await expect(players.play(0, world)).rejects.toThrow('ECONNREFUSED')
  const playing = players.play(1, world)
  players.end()
  await expect(playing).rejects.toThrow('player-process.ts has ended')
  await expect(players.play(0, world)).rejects.toThrow('player-process.ts has ended')
})
