import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { WorldReport } from '#trials/simulation/simulate'
import type { WorldToPlay } from './play-world.ts'

/** What a process answers when a world has ended, or could not be played. */
export type Played = { seed: number } & ({ report: WorldReport } | { failed: string })

/** Larger than the default of V8: rows and queries of a statement die young. */
const YOUNG_MB = 32

/** Processes that play worlds: one of them keeps one core busy, and Postgres part of another. */
export class Players {
  private readonly children: ChildProcess[]

  constructor(count: number) {
    this.children = Array.from({ length: count }, () =>
      fork(path.join(ROOT, 'trials/simulation/players/player-process.ts'), {
        cwd: ROOT,
        execArgv: [`--max-semi-space-size=${YOUNG_MB}`, '--import', 'tsx'],
      }),
    )
    // Each world that is under way listens.
    for (const child of this.children) child.setMaxListeners(0)
  }

  /** Plays a world in process `n`, counted around. */
  play(n: number, world: WorldToPlay): Promise<WorldReport> {
    const child = this.children[n % this.children.length]
    if (!child) throw new Error('there is no process to play in')
    return new Promise((resolve, reject) => {
      const onExit = () => settle(() => reject(new Error('a process that played worlds has ended')))
      const onPlayed = (played: Played) => {
        if (played.seed !== world.seed) return
        settle(() =>
          'report' in played ? resolve(played.report) : reject(new Error(played.failed)),
        )
      }
      const settle = (end: () => void) => {
        child.off('exit', onExit)
        child.off('message', onPlayed)
        end()
      }
      child.on('exit', onExit)
      child.on('message', onPlayed)
      if (child.connected) child.send(world)
      else onExit()
    })
  }

  /** Ends the processes, whatever they play. */
  end(): void {
    for (const child of this.children) child.kill('SIGKILL')
  }
}
