import { writeInbox } from '#db/inbox/inbox'
import { post } from '#db/ledger/ledger'
import { lockMember } from '#db/members/execute-once'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { ledgerId } from '#rules/money/ledger-id'
import { MONEY_PLACES } from '#rules/money/money'
import { notFound, refuse } from './action-log.ts'
import { lockKnownMember } from './members.ts'

/** TESP or USDT of a member in 24 hours, up or down: about ten days of mining. Above it another operator approves. */
export const CORRECTION_LIMIT = '25'
const PROPOSAL_DAYS = 3

/** Digits before the decimal point of a balance: `numeric(20, 8)`. */
const BALANCE_DIGITS = 12
/** SQLSTATE numeric_value_out_of_range. */
const NUMERIC_OVERFLOW = '22003'

function refuseLength(what: string): never {
  refuse(
    `The ${what} may have at most ${BALANCE_DIGITS} digits before and ${MONEY_PLACES} after the decimal point`,
  )
}

/** A negative amount reduces the balance. */
export type Correction = {
  memberId: number
  token: 'TESP' | 'USDT'
  amount: string
  reason: string
}

/** @throws {RuleError} `bad_input` */
export function checkAmount(amount: string): void {
  if (!/^-?\d+(\.\d+)?$/.test(amount) || Number(amount) === 0) {
    refuse('The amount must be a decimal other than 0, such as -12.5')
  }
  const [whole = '', fraction = ''] = amount.replace(/^-?0*/, '').split('.')
  if (whole.length > BALANCE_DIGITS || fraction.length > MONEY_PLACES) refuseLength('amount')
}

async function postCorrection(
  tx: Tx,
  { memberId, token, amount, reason, number }: Correction & { number: number },
): Promise<string> {
  const id = ledgerId('correction', { number })
  await post(tx, {
    id,
    userId: memberId,
    token,
    amount,
    type: 'other',
    description: `Correction: ${reason}`,
    at: await productNow(tx),
  }).catch((error) => {
    if (sqlState(error) === NUMERIC_OVERFLOW) refuseLength('new balance')
    throw error
  })
  const facts = { token, amount, reason }
  await writeInbox(tx, { memberId, kind: 'corrected', fact: number, facts })
  return id
}

/** Corrections of the last 24 hours that nobody approved count too: a large one is not split. */
const ABOVE_LIMIT_SQL = `
  select coalesce(sum(abs((details->>'amount')::numeric)), 0) + abs(:amount::numeric)
    > ${CORRECTION_LIMIT} as above
  from operator_actions
  where "userId" = :memberId and action = 'ledger correct' and details->>'ledgerRow' is not null
    and details->>'token' = :token and at > now() - interval '24 hours'`

/** Its row of the ledger. */
export type Posted = Omit<Correction, 'reason'> & { ledgerRow: string }

/** Proposes what exceeds the limit. @throws {RuleError} `not_found`, `insufficient_balance`, `bad_input` */
export async function correctOrPropose(
  tx: Tx,
  correction: Correction,
  operator: string,
): Promise<Posted | { proposal: number }> {
  const { memberId, token, amount, reason } = correction
  checkAmount(amount)
  await lockKnownMember(tx, memberId)
  const { rows } = await tx.raw(ABOVE_LIMIT_SQL, { memberId, token, amount })
  if (!rows[0].above) {
    const drawn = await tx.raw(`select nextval('correction_numbers') as number`)
    const ledgerRow = await postCorrection(tx, { ...correction, number: drawn.rows[0].number })
    return { memberId, ledgerRow, token, amount }
  }
  const [proposed] = await tx('correction_proposals')
    .insert({
      userId: memberId,
      token,
      amount,
      reason,
      proposedBy: operator,
      expiresAt: tx.raw(`now() + interval '${PROPOSAL_DAYS} days'`),
    })
    .returning('id')
  return { proposal: proposed.id }
}

export type Proposal = Correction & {
  id: number
  username: string
  proposedBy: string
  proposedAt: Date
  expiresAt: Date
}

const openProposals = (db: Db) =>
  db('correction_proposals as p')
    .join('users as u', 'u.id', 'p.userId')
    .whereNull('p.decidedAt')
    .whereRaw('p."expiresAt" > now()')
    .select('p.id', 'p.userId as memberId', 'u.username', 'p.token', 'p.amount', 'p.reason')
    .select('p.proposedBy', 'p.proposedAt', 'p.expiresAt')

export async function listProposals(db: Db): Promise<Proposal[]> {
  return openProposals(db).orderBy('p.id')
}

/** @throws {RuleError} `not_found` if it is decided or has expired */
export async function openProposal(db: Db, id: number): Promise<Proposal> {
  const proposal = await openProposals(db).where('p.id', id).first()
  if (!proposal) throw notFound('open proposal')
  return proposal
}

/** Locks the member and ends the proposal; of several operators one succeeds. */
async function decide(tx: Tx, id: number, operator: string, approved: boolean) {
  const { memberId } = await openProposal(tx, id)
  await lockMember(tx, memberId)
  const [decided] = await tx('correction_proposals')
    .where({ id, decidedAt: null })
    .whereRaw('"expiresAt" > now()')
    .update({ approved, decidedBy: operator, decidedAt: tx.fn.now() })
    .returning(['token', 'amount', 'reason', 'number', 'proposedBy'])
  if (!decided) throw notFound('open proposal')
  return { memberId, ...decided }
}

/**
 * The number was drawn with the proposal: the key of the ledger holds even if a proposal is decided twice.
 * @throws {RuleError} `not_found` if it is decided or has expired, `bad_input` for one's own, `insufficient_balance`
 */
export async function approveCorrection(tx: Tx, id: number, operator: string): Promise<Posted> {
  const { proposedBy } = await openProposal(tx, id)
  if (proposedBy.toLowerCase() === operator.toLowerCase()) {
    refuse('Another operator must approve what you proposed')
  }
  const proposal = await decide(tx, id, operator, true)
  const { memberId, token, amount } = proposal
  const ledgerRow = await postCorrection(tx, proposal)
  return { memberId, ledgerRow, token, amount }
}

/** The operator who proposed it may do so, too. @throws {RuleError} `not_found` if it is decided or has expired */
export async function refuseCorrection(tx: Tx, id: number, operator: string): Promise<number> {
  return (await decide(tx, id, operator, false)).memberId
}
