import type { RouteName } from '#contract/routes'
import type { RuleCode } from '#rules/rule-error'

/** Facts that the types of a route do not contain. answers.test.ts and refusals.test.ts check it against a product. */
export type RouteFacts = {
  tag:
    | 'account'
    | 'password'
    | 'reminders'
    | 'mining'
    | 'wallet'
    | 'team'
    | 'tasks'
    | 'network'
    | 'app'
  summary: string
  /** Who may call it: `member` needs a sign-in, `anyone` does not. */
  access: 'member' | 'anyone'
  /** Takes `Idempotency-Key`: a repeated request gets the first answer again. */
  idempotent?: true
  /** Answers with an `ETag` and takes `If-None-Match`. */
  etag?: true
  /** Codes of this route in addition to those that follow from its input, access and method. */
  errors: RuleCode[]
}

export type FactsOfRoutes = Partial<Record<RouteName, RouteFacts>>
