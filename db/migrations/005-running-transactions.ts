import type { Knex } from 'knex'

/** The release before reads only `dueAt`, which stays. */
export const runsWith = '004-personal-reminders'

/** The transactions that ran when a day became due: it is sealed once they have ended. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ledger_seal_due add column if not exists running text[] not null default '{}';
    delete from ledger_seal_due`)
}
