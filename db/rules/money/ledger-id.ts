/**
 * An id names the fact that its row pays for and is the primary key, so that a fact is paid once (rules.md: Money).
 * Stored ids never change: a new kind of fact gets a new format.
 */
const FORMATS = {
  /** Interval `n` (1…72) of a session. */
  credit: 'credit:{sessionId}:{n}',
  /** Intervals `from`…`to` of a session that are rolled up to one row (decision 20). */
  creditRange: 'credit:{sessionId}:{from}-{to}',
  claim: 'claim:{memberId}.{claim}:{token}',
  task: 'task:{memberId}:{taskId}',
  dailyTask: 'task:{memberId}:{taskId}:{day}',
  /** Claim `n` (2…) of a task that pays a member several times a UTC day; the first is a `dailyTask`. */
  repeatedTask: 'task:{memberId}:{taskId}:{day}:{n}',
  milestone: 'milestone:{memberId}:{members}:{token}',
  /** An operator's correction; numbers come from the sequence `correction_numbers`. */
  correction: 'correction:{number}',
} as const

type Formats = typeof FORMATS
/** The kinds of facts that the ledger pays for. */
export type LedgerFactKind = keyof Formats

type FieldsIn<Format extends string> = Format extends `${string}{${infer Field}}${infer Rest}`
  ? Field | FieldsIn<Rest>
  : never
type Fields<K extends LedgerFactKind> = FieldsIn<Formats[K]>
type Field = { [K in LedgerFactKind]: Fields<K> }[LedgerFactKind]

/** What a field may contain that is no number: no colon, so that an id has one reading. */
const PATTERNS: Partial<Record<Field, string>> = {
  token: 'TESP|USDT',
  taskId: '\\w+',
  day: '\\d{4}-\\d{2}-\\d{2}',
}
const patternOf = (name: Field) => PATTERNS[name] ?? '\\d+'

const FIELD = /\{(\w+)\}/g

/** The id of the ledger row that pays for a fact, such as `credit:71:3`. */
export function ledgerId<K extends LedgerFactKind>(
  kind: K,
  fields: Record<Fields<K>, string | number>,
): string {
  const values: Record<string, string | number> = fields
  return FORMATS[kind].replace(FIELD, (_, name) => String(values[name]))
}

/** The same id as a SQL expression; `columns` are trusted SQL, never input. */
export function ledgerIdSql<K extends LedgerFactKind>(
  kind: K,
  columns: Record<Fields<K>, string>,
): string {
  const values: Record<string, string> = columns
  return FORMATS[kind]
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => values[part.slice(1, -1)] ?? `'${part}'`)
    .join(' || ')
}

/** SQL pattern (`like`) of all ids of a kind. A daily task's ids match the pattern of `task` too. */
export function ledgerIdLike(kind: LedgerFactKind): string {
  return FORMATS[kind].replace(/\{.*$/, '%')
}

/** Regular expression of all ids of a kind, for SQL (`~`). */
export function ledgerIdRegex(kind: LedgerFactKind): string {
  const literal = FORMATS[kind].replaceAll('.', '\\.')
  return `^${literal.replace(FIELD, (_, name: Field) => patternOf(name))}$`
}

/** A fact as its id names it; all fields are text. */
export type LedgerFact = {
  [K in LedgerFactKind]: { kind: K; fields: Record<Fields<K>, string> }
}[LedgerFactKind]

const MATCHERS = Object.entries(FORMATS).map(([kind, format]) => {
  const literal = format.replaceAll('.', '\\.')
  const source = literal.replace(FIELD, (_, name: Field) => `(?<${name}>${patternOf(name)})`)
  return { kind, matcher: new RegExp(`^${source}$`) }
})

/** The fact that an id names; nothing for a text that is no ledger id. */
export function parseLedgerId(id: string): LedgerFact | undefined {
  for (const { kind, matcher } of MATCHERS) {
    const fields = matcher.exec(id)?.groups
    if (fields) return { kind, fields: { ...fields } } as LedgerFact
  }
  return undefined
}

/** Number of automatic credits that a ledger row stands for; 0 for any other row. */
export function creditCount(id: string): number {
  const fact = parseLedgerId(id)
  if (fact?.kind === 'credit') return 1
  if (fact?.kind !== 'creditRange') return 0
  return Number(fact.fields.to) - Number(fact.fields.from) + 1
}
