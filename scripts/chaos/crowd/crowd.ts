import { fork } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '#scripts/process/root'

/** Whom a crowd connects to, and as whom. */
export type CrowdOrder = {
  urls: string[]
  cookies: string[]
  sockets: number
  /** The longest time between two tries of a socket; the client's is 15 s. */
  longestDelayMs: number
}

/** What a crowd sees. */
export type CrowdFigures = {
  connected: number
  tries: number
  /** The times of all answers. */
  restMs: number[]
  /** Answers that were not 200. */
  wrongAnswers: number
  /** Requests without an answer. */
  lost: number
}

export const NO_FIGURES: CrowdFigures = {
  ...{ connected: 0, tries: 0, restMs: [], wrongAnswers: 0, lost: 0 },
}

/** Thousands of sockets in a process of their own, so that they do not slow down who measures. */
export type Crowd = {
  figures(): CrowdFigures
  /** Counts anew from now on. */
  forget(): void
  leave(): void
}

/** Opens them; they come back by themselves until the crowd leaves. */
export function startCrowd(order: CrowdOrder): Crowd {
  const child = fork(path.join(ROOT, 'scripts/chaos/crowd/crowd-process.ts'), {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  })
  let figures = NO_FIGURES
  child.on('message', (message: CrowdFigures) => {
    figures = message
  })
  child.send(order)
  return {
    figures: () => figures,
    forget: () => void child.send('forget'),
    leave: () => void child.kill('SIGKILL'),
  }
}

/** The value that 95 of 100 do not exceed. */
export function p95(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}
