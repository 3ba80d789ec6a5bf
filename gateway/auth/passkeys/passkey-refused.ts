import { RuleError } from '#rules/rule-error'

/**
 * The error of a passkey that cannot be used. It names no reason: an unknown passkey, a wrong signature
 * and an expired challenge get the same answer.
 */
export const passkeyRefused = () =>
  new RuleError('passkey_refused', 'This passkey could not be used. Please try again')
