/** Text at the start of a cell that spreadsheets read as a formula. */
const FORMULA = /^\s*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/
const NEEDS_QUOTES = /[",\r\n]/

/** A CSV cell of free text. A quote in front of it keeps spreadsheets from running it as a formula. */
export function textCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of CSV (RFC 4180) from cells that are escaped already. */
export function csvLine(cells: (string | number)[]): string {
  return `${cells.join(',')}\r\n`
}
