import type { Knex } from 'knex'

/** The release before does not call the function. */
export const runsWith = '005-inbox'

/** What a member's earnings are summed from (rules.md: Earnings). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The rows of a member's ledger from "since" to before "until". Planning reads each partition of the
    -- period, which takes longer than running: 90 daily partitions would take 5 of 8 ms. So the plan is the
    -- generic one, which each connection makes once and which prunes partitions when it starts. Postgres
    -- would not choose it, because its estimate counts all partitions.
    create function ledger_rows(
      of_bucket smallint, of_member integer, since timestamptz, until timestamptz
    ) returns table (id text, amount numeric, "tokenType" text, "createdAt" timestamptz)
    language plpgsql stable set plan_cache_mode = force_generic_plan as $$
    begin
      return query select a.id, a.amount, a."tokenType", a."createdAt" from wallet_activity a
        where a.bucket = of_bucket and a."userId" = of_member
          and a."createdAt" >= since and a."createdAt" < until;
    end $$
  `)
}
