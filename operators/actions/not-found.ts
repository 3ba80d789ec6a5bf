import { RuleError } from '#rules/rule-error'

/** The error of a command that names something unknown. */
export const notFound = (what: string) => new RuleError('not_found', `There is no such ${what}`)
