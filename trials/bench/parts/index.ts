import type { Part } from '#trials/bench/result'

/** Every part of the bench ; a part's modules are loaded when it runs. */
export const PARTS = {
  credits: async () => (await import('./credits.ts')).run,
  reads: async () => (await import('./reads.ts')).run,
  sockets: async () => (await import('./sockets.ts')).run,
  versions: async () => (await import('./versions.ts')).run,
  load: async () => (await import('./load.ts')).run,
  start: async () => (await import('./start.ts')).run,
} satisfies Record<string, () => Promise<Part>>

export type PartName = keyof typeof PARTS

export const isPart = (name: string): name is PartName => Object.hasOwn(PARTS, name)
