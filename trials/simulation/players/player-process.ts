import { playWorld, type WorldToPlay } from './play-world.ts'
import type { Played } from './players.ts'

// The program of a process of `Players`: plays each world that it is sent, several at a time.
process.on('message', (world: WorldToPlay) => {
  const { seed } = world
  const answer = (played: Played) => process.send?.(played)
  playWorld(world).then(
    (report) => answer({ seed, report }),
    (error) => answer({ seed, failed: String(error?.stack ?? error) }),
  )
})
process.once('disconnect', () => process.exit())
