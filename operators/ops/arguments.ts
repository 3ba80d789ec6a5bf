import { RuleError } from '#rules/rule-error'
import type { OpsCall } from './command.ts'

/**
 * The value of a required argument.
 * @throws {RuleError} `bad_input` if it is missing
 */
export function needed(value: string | undefined, name: string): string {
  if (!value) throw new RuleError('bad_input', `${name} is missing`)
  return value
}

/**
 * An id or a count: a whole number from 1 on.
 * @throws {RuleError} `bad_input`
 */
export function wholeNumber(value: string | undefined, name: string): number {
  const number = Number(needed(value, name))
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new RuleError('bad_input', `${name} must be a number from 1 on`)
  }
  return number
}

/** Rows that a list shows: `--limit`, or the usual number. */
export function limitOf({ options }: OpsCall, usual: number): number {
  return options.limit === undefined ? usual : wholeNumber(options.limit, '--limit')
}
