import path from 'node:path'
import { LANGUAGES, type Language } from '#rules/members/languages'
import { DATA_DIR } from '#runtime/process/root'
import { nameOf, type State } from './state.ts'

/** Windows of a small phone, a phone and a desktop, CSS pixels. */
export const WINDOWS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

/** The folder of all pictures: `<language>/<width>/<screen>-<state>.png`. */
export const PICTURES = path.join(DATA_DIR, 'screenshots')

/** One picture to take. */
export type Shot = { state: State; window: (typeof WINDOWS)[number]; language: Language }

/** Path of a picture below `PICTURES`, without its extension. */
export const pathOf = ({ state, window, language }: Shot) =>
  path.posix.join(language, String(window.width), nameOf(state))

export type Selection = {
  /** Parts of names, with commas between them. */
  only?: string
  language?: string
  width?: string
}

/** With large text the small phone would be one of 160 px. */
const isSensible = ({ largeText }: State, { width }: (typeof WINDOWS)[number]): boolean =>
  !largeText || width > 320

/** Every state in every window and language, or those that were asked for. */
export function shotsOf(states: State[], { only, language, width }: Selection): Shot[] {
  const names = only?.split(',') ?? ['']
  const wanted = states.filter((state) => names.some((name) => nameOf(state).includes(name)))
  const windows = WINDOWS.filter((window) => !width || window.width === Number(width))
  const languages = LANGUAGES.filter((each) => !language || each === language)
  return languages.flatMap((each) =>
    wanted.flatMap((state) =>
      windows
        .filter((window) => isSensible(state, window))
        .map((window) => ({ state, window, language: each })),
    ),
  )
}
