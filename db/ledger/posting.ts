import type { Money } from '#rules/money/money'
import type { Activity } from '#rules/snapshots'
import { COUNTER_SQL } from './network-counters.ts'

/** One change of one balance, and the fact that it pays for. */
export type Posting = {
  /** Names the fact, so that it is paid once (#rules/ledger-id): `task:7:join_telegram`. */
  id: string
  userId: number
  token: 'TESP' | 'USDT'
  /** Negative amounts reduce the balance. */
  amount: Money
  type: Activity['type']
  description: string
  /** Product time of the fact, ms. */
  at: number
}

type Token = Posting['token']

/** A text for each balance, a column of `wallets`. */
const forEachToken = (sql: (balance: string) => string): Record<Token, string> => ({
  TESP: sql('balance'),
  USDT: sql('"usdtBalance"'),
})

/** Returns no row for a fact that was paid before. */
const FACT = `
    insert into ledger_facts (shard, id, "createdAt") values (:shard, :id, :at)
    on conflict do nothing returning id`

/** `from` joins the step before, if it is one of the same statement. */
const paid = (balance: string, from = '') => `
    update wallets set ${balance} = ${balance} + :amount ${from}
    where shard = :shard and "userId" = :userId
    returning wallets.id as "walletId", ${balance} as "balanceAfter"`

const counted = (from = '') => `
    update network_counters set "ledgerRows" = "ledgerRows" + 1 ${from} where ${COUNTER_SQL}`

const ROW = `
  insert into wallet_activity
    (shard, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter")`

const rowValues = (walletId: string, balanceAfter: string) =>
  `:shard, :id, :userId, ${walletId}, :type, :amount, :token, :description, :at, ${balanceAfter}`

/** The whole posting; returns no row for a fact that was paid before. */
export const POST_SQL = forEachToken(
  (balance) => `
  with fact as (${FACT}
  ), paid as (${paid(balance, 'from fact')}
  ), counted as (${counted('from paid')}
  ), logged as (
    insert into member_changes ("userId") select :userId::integer from paid
  )
  ${ROW}
  select ${rowValues('"walletId"', '"balanceAfter"')} from paid returning id`,
)

/** The steps of a posting as statements that name one bucket each and insert outside of `with`. */
export const POST_STEPS = {
  fact: FACT,
  paid: forEachToken((balance) => `with counted as (${counted()}) ${paid(balance)}`),
  row: `${ROW} values (${rowValues(':walletId', ':balanceAfter')})`,
}
