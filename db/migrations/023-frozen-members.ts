import type { Knex } from 'knex'

/** Members whom an operator has frozen: they cannot sign in. A deleted member is not frozen. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users
      add column "frozenAt" timestamptz,
      add column "frozenReason" text,
      add constraint users_freeze_has_reason
        check (("frozenAt" is null) = ("frozenReason" is null)),
      add constraint users_deleted_is_not_frozen
        check ("deletedAt" is null or "frozenAt" is null);
    create index users_frozen on users ("frozenAt") where "frozenAt" is not null;
  `)
}
