import { parseLedgerId } from '#rules/money/ledger-id'
import { parseSealedRow, type Receipt } from './receipt.ts'

/** A larger file is not read: the receipt of the busiest day has a few hundred rows of 100 bytes. */
export const RECEIPT_MAX_BYTES = 2 ** 20

/** Height of a tree of 2³¹ members. */
const PATH_MAX = 31

type Check = (value: unknown) => boolean

const text =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const whole =
  (least: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const list =
  (check: Check, most = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(check)

const exactly =
  (fields: Record<string, Check>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === Object.keys(fields).length &&
    Object.entries(fields).every(
      ([name, check]) => Object.hasOwn(value, name) && check(value[name as never]),
    )

const HASH = text(/^[0-9a-f]{64}$/)
const AMOUNT = '(?:0|[1-9]\\d{0,11})\\.\\d{8}'

/** The texts that Postgres writes of the columns behind the id (`SEALED_ROW_SQL`): each value has one. */
const ROW_TAIL = new RegExp(
  `^[1-9]\\d{0,9}\\|(?:mining_reward|usdt_reward|transfer|other)\\|(?:TESP|USDT)\\|(?!-?0\\.0{8}\\|)-?${AMOUNT}\\|${AMOUNT}\\|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{0,5}[1-9])?\\|[1-9]\\d{0,18}$`,
)

const isRow: Check = (value) => {
  if (typeof value !== 'string') return false
  const id = parseSealedRow(value)?.id
  return id !== undefined && !!parseLedgerId(id) && ROW_TAIL.test(value.slice(id.length + 1))
}

const isTime: Check = (value) => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString() === value
}

const isReceipt = exactly({
  format: (value) => value === 'tesp-receipt-1',
  row: isRow,
  rows: list(isRow),
  salt: HASH,
  index: whole(0),
  path: list(HASH, PATH_MAX),
  seal: exactly({
    number: whole(1),
    day: text(/^\d{4}-\d\d-\d\d$/),
    reason: text(/^(?:day|late rows|roll-up)$/),
    rows: whole(0),
    members: whole(0),
    root: HASH,
    previous: HASH,
    sealedAt: isTime,
    hash: HASH,
    signature: orNull(text(/^[A-Za-z0-9+/]{86}==$/)),
    publicKey: orNull(text(/^[A-Za-z0-9+/]{43}=$/)),
  }),
})

/** JSON without the spaces between its values. */
const compact = (json: string) =>
  json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, inQuotes: string | undefined) => inQuotes ?? '')

/**
 * Reads a receipt as the server and the page write it, also in the answer of the server around it. Whatever could
 * be read in two ways is refused (undefined): a repeated key, a value written differently, an unknown field.
 */
export function parseReceipt(json: string): Receipt | undefined {
  try {
    const value: unknown = JSON.parse(json)
    // JSON.parse keeps the last of two equal keys.
    if (JSON.stringify(value) !== compact(json)) return undefined
    const inner = exactly({ receipt: isReceipt })(value)
      ? (value as { receipt: Receipt }).receipt
      : value
    return isReceipt(inner) ? (inner as Receipt) : undefined
  } catch {
    return undefined
  }
}
