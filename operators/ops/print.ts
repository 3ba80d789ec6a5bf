import { refuse } from '#operators/actions/action-log'
import type { Row } from './command.ts'

/**
 * Control characters, and those that reverse the direction of text: members and mail servers choose some texts, which
 * must not command the operator's terminal.
 */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

export const printable = (text: string): string => text.replace(UNPRINTABLE, '\u{fffd}')

/** `creditedIntervals` is printed as `credited intervals`. */
const label = (key: string) => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function text(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z')
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return printable(plain)
}

const width = (cell: string) => [...cell].length
const padded = (cell: string, to: number) => cell + ' '.repeat(Math.max(0, to - width(cell)))

export function formatRows(rows: Row[]): string {
  if (rows.length === 0) return 'none'
  const columns = [...new Set(rows.flatMap(Object.keys))]
  const lines = [columns.map(label), ...rows.map((row) => columns.map((key) => text(row[key])))]
  const widths = columns.map((_, at) => Math.max(...lines.map((cells) => width(cells[at] ?? ''))))
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => padded(cell, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function formatFields(row: Row): string {
  const labelled = Object.entries(row).map(([key, value]) => [label(key), text(value)] as const)
  const widest = Math.max(...labelled.map(([name]) => width(name)))
  return labelled.map(([name, value]) => `${padded(name, widest)}  ${value}`).join('\n')
}

/** Omits user and password. @throws {RuleError} `bad_input`, without the text, which may hold a password */
export function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) {
    refuse('The URL of the database is not like postgres://name:password@host/tesp')
  }
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}
