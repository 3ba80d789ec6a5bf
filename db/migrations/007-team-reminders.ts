import type { Knex } from 'knex'

/** The release before switches none of it on, and its members are on no board. */
export const runsWith = '005-inbox'

/** Reminders by the inviter, and the board of all members (rules.md: Team). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table reminder_preferences
      -- Whether the inviter may remind the member.
      add column team boolean not null default false,
      -- No more from this inviter, of whom a member has one.
      add column "inviterBlockedAt" timestamptz,
      -- UTC day of the last reminder.
      add column "remindedOn" date;

    -- How the board of all members shows the member; null: it does not.
    alter table users add column "weekBoard" text
      constraint users_week_board_is_known check ("weekBoard" in ('name', 'anonymous')),
      add constraint users_deleted_is_on_no_board check ("deletedAt" is null or "weekBoard" is null);
    create index users_on_week_board on users (id) where "weekBoard" is not null;
  `)
}
