import type { Knex } from 'knex'

/**
 * A session that its bucket cannot process is quarantined: sweeps skip it until an operator
 * releases it. Credits never change these columns, so they stay HOT updates.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table mining_sessions
      add column "quarantinedAt" timestamptz,
      add column "quarantineReason" text,
      add constraint mining_sessions_quarantine_has_reason
        check (("quarantinedAt" is null) = ("quarantineReason" is null)),
      -- A credit only ever adds. Not validated, so that no long lock is taken on a filled table.
      add constraint mining_sessions_credit_not_negative
        check ("lastRewardAmount" >= 0 and "lastUsdtAmount" >= 0) not valid;
    create index mining_sessions_quarantined on mining_sessions ("quarantinedAt")
      where "quarantinedAt" is not null;
  `)
}
