import type { Parser } from './parsers.ts'

/** One setting of a process: an environment variable and the field of `Config` that it becomes. */
export type Setting = {
  /** Name in `Config`. */
  field: string
  parse: Parser<unknown>
  /** Text that stands for an unset variable; absent, the parser gets an empty text. */
  default?: string | { development: string; production: string }
  /** Where the variable must be set; absent, nowhere. */
  required?: 'always' | 'production'
  /** What to set, for the message about a missing variable. */
  hint?: string
  /** What stands for it when the npm commands of development set it. */
  development?: string
  /** One sentence for operators: meaning and unit. */
  doc: string
}

export type SettingTable = Record<string, Setting>
