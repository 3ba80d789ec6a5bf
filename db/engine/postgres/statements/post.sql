-- Written by hot-statements.test.ts (-u) to be read; the product does not read it.
with 
fact as (
  insert into ledger_facts (bucket, id, "createdAt")
  values (:bucket::smallint, :id::text, :at::timestamptz)
  on conflict do nothing returning id
), paid as (
  update wallets set balance = balance + :amount::numeric from fact
  where bucket = :bucket::smallint and "userId" = :userId::integer
  returning wallets.id as "walletId", balance as "balanceAfter"
), counted as (
  update network_counters set "ledgerRows" = "ledgerRows" + 1 from paid where bucket = :counterBucket::smallint and lane = :lane::smallint
), logged as (
  insert into member_changes ("userId") select :userId::integer from paid
), written as (
  insert into wallet_activity
    (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter")
  select :bucket::smallint, :id::text, :userId::integer, "walletId", :type::text, :amount::numeric,
    :token::text, :description::text, :at::timestamptz, "balanceAfter"
  from paid returning id
) select to_json(answer) as answer from (select id from written) answer
