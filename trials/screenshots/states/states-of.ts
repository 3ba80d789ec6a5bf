import type { State, Stub } from '#trials/screenshots/state'

export const OK = { json: { ok: true, success: true, message: 'OK' } }

export const refused = (status: number, message: string, code: string): Stub => ({
  status,
  json: { message, code },
})

export const FAILS = refused(500, 'Something went wrong', 'internal')

export const app = (more: object): Stub => ({
  json: { flags: [], minimumVersion: null, taskLinks: {}, ...more },
})

/** The states of a screen by name; each may change what is common to them. */
export function statesOf(
  screen: string,
  common: Pick<State, 'path' | 'as'>,
  states: Record<string, Partial<State>>,
): State[] {
  return Object.entries(states).map(([state, own]) => ({ screen, state, ...common, ...own }))
}
