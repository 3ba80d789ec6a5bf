import type { Money } from '#rules/money/money'
import type { Activity } from '#rules/snapshots'
import { shardStatement } from './citus/on-shard.ts'
import { COUNTER_SQL } from './network-counters.ts'
import { BY_SEQUENCE, BY_WALLET, type Numbering } from './numbering.ts'

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
const forEachToken = <T>(sql: (balance: string) => T): Record<Token, T> => ({
  TESP: sql('balance'),
  USDT: sql('"usdtBalance"'),
})

/** Changes of members, from `paid`: on Citus not on the node of the wallet (`log-change.ts`). */
const LOGGED = `, logged as (
    insert into member_changes ("userId") select :userId::integer from paid
  )`

/** The whole posting; returns no row for a fact that was paid before. */
const postSteps = (balance: string, { next, returned, column }: Numbering, logged = '') => ({
  steps: `
  fact as (
    insert into ledger_facts (shard, id, "createdAt")
    values (:shard::smallint, :id::text, :at::timestamptz)
    on conflict do nothing returning id
  ), paid as (
    update wallets set ${balance} = ${balance} + :amount::numeric${next} from fact
    where shard = :shard::smallint and "userId" = :userId::integer
    returning wallets.id as "walletId", ${balance} as "balanceAfter"${returned}
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + 1 from paid where ${COUNTER_SQL}
  )${logged}, written as (
    insert into wallet_activity
      (shard, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
        "balanceAfter"${column})
    select :shard::smallint, :id::text, :userId::integer, "walletId", :type::text, :amount::numeric,
      :token::text, :description::text, :at::timestamptz, "balanceAfter"${column}
    from paid returning id
  )`,
  answer: 'select id from written',
})

/** The posting on plain Postgres, for each token. */
export const POST_SQL = forEachToken((balance) => {
  const { steps, answer } = postSteps(balance, BY_SEQUENCE, LOGGED)
  return `with ${steps} ${answer}`
})

/** The posting on the node of its member. */
export const POST_ON_SHARD = forEachToken((balance) =>
  shardStatement('post', postSteps(balance, BY_WALLET)),
)
