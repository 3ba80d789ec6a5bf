import type { Knex } from 'knex'

/** The release before does the same by reading whole tables. */
export const runsWith = '002-users-created'

/** What maintenance deletes every 15 s, and rows that are found by less than their key. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index if not exists mails_sent on mails ("sentAt") where "sentAt" is not null;
    create index if not exists telegram_accounts_code_expiry on telegram_accounts ("codeExpiresAt")
      where "codeExpiresAt" is not null;
    create index if not exists telegram_claims_created on telegram_claims ("createdAt");
    create index if not exists telegram_claims_account on telegram_claims ("accountHash");
    create index if not exists completed_tasks_task on completed_tasks ("taskId");
    create index if not exists email_codes_change on email_codes ("browserId" text_pattern_ops)
      where purpose = 'change';
  `)
}
