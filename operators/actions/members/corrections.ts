import { post } from '#db/ledger/ledger'
import { productNow } from '#db/postgres/connection/product-clock'
import { sqlState, type Tx } from '#db/postgres/statements/transaction'
import { ledgerId } from '#rules/money/ledger-id'
import { MONEY_PLACES } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import { memberNamed } from './find-member.ts'

/** Digits before the decimal point of a balance: `numeric(20, 8)`. */
const BALANCE_DIGITS = 12
/** SQLSTATE numeric_value_out_of_range. */
const NUMERIC_OVERFLOW = '22003'

const tooLong = (what: string) =>
  new RuleError(
    'bad_input',
    `The ${what} may have at most ${BALANCE_DIGITS} digits before and ${MONEY_PLACES} after the decimal point`,
  )

/** A correction of the balance of `member` (`memberNamed`); a negative amount reduces it. */
export type Correction = { member: string; token: 'TESP' | 'USDT'; amount: string; reason: string }

/**
 * Rejects an amount that a correction cannot have.
 * @throws {RuleError} `bad_input`
 */
export function checkAmount(amount: string): void {
  if (!/^-?\d+(\.\d+)?$/.test(amount) || Number(amount) === 0) {
    throw new RuleError('bad_input', 'The amount must be a decimal such as -12.5, not 0')
  }
  const [whole = '', fraction = ''] = amount.replace(/^-?0*/, '').split('.')
  if (whole.length > BALANCE_DIGITS || fraction.length > MONEY_PLACES) throw tooLong('amount')
}

/**
 * Corrects a balance with a ledger row that states the reason.
 * @returns ids of the member and of the ledger row
 * @throws {RuleError} `not_found`, `insufficient_balance`, `bad_input`
 */
export async function correctBalance(
  tx: Tx,
  correction: Correction,
): Promise<{ memberId: number; ledgerRow: string }> {
  const { token, amount, reason } = correction
  checkAmount(amount)
  const member = await memberNamed(tx, correction.member)
  const { rows } = await tx.raw(`select nextval('correction_numbers') as number`)
  const id = ledgerId('correction', { number: rows[0].number })
  await post(tx, {
    id,
    userId: member.id,
    token,
    amount,
    type: 'other',
    description: `Correction: ${reason}`,
    at: await productNow(tx),
  }).catch((error) => {
    throw sqlState(error) === NUMERIC_OVERFLOW ? tooLong('new balance') : error
  })
  return { memberId: member.id, ledgerRow: id }
}
