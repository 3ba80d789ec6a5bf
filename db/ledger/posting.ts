import { bucketStatement, type Engine } from '#db/postgres/statements/bucket-statement'
import type { Money } from '#rules/money/money'
import type { Activity } from '#rules/snapshots'
import { COUNTER_SQL } from './network-counters.ts'
import { NUMBERING } from './numbering.ts'

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

/** Changes of members, from `paid`: on Citus not on the node of the wallet (`log-change.ts`). */
const LOGGED = `, logged as (
    insert into member_changes ("userId") select :userId::integer from paid
  )`

/** The whole posting; returns no row for a fact that was paid before. */
function postSteps(balance: string, engine: Engine) {
  const { next, returned, column } = NUMBERING[engine]
  return {
    steps: `
  fact as (
    insert into ledger_facts (bucket, id, "createdAt")
    values (:bucket::smallint, :id::text, :at::timestamptz)
    on conflict do nothing returning id
  ), paid as (
    update wallets set ${balance} = ${balance} + :amount::numeric${next} from fact
    where bucket = :bucket::smallint and "userId" = :userId::integer
    returning wallets.id as "walletId", ${balance} as "balanceAfter"${returned}
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + 1 from paid where ${COUNTER_SQL}
  )${engine === 'postgres' ? LOGGED : ''}, written as (
    insert into wallet_activity
      (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
        "balanceAfter"${column})
    select :bucket::smallint, :id::text, :userId::integer, "walletId", :type::text, :amount::numeric,
      :token::text, :description::text, :at::timestamptz, "balanceAfter"${column}
    from paid returning id
  )`,
    answer: 'select id from written',
  }
}

/** The posting for each token, whose balance is a column of `wallets`. */
export const POST = {
  TESP: bucketStatement('post-TESP', (engine) => postSteps('balance', engine)),
  USDT: bucketStatement('post-USDT', (engine) => postSteps('"usdtBalance"', engine)),
}
