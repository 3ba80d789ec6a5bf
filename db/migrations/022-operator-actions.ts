import type { Knex } from 'knex'

/**
 * The log of operators' actions: append-only, so that nobody can hide what was done. It holds ids and
 * no other personal data of members, because a deletion of an account cannot change it either. The
 * trigger fires even with `session_replication_role = replica`; only the owner of the table can
 * disable it.
 *
 * Reviewers sign in to the page of identity documents. `lastStep` is the step of the last used
 * one-time code.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table operator_actions (
      id bigint primary key generated always as identity,
      at timestamptz not null default clock_timestamp(),
      operator text not null check (operator <> ''),
      "databaseRole" text not null default session_user,
      action text not null check (action <> ''),
      "userId" integer references users (id),
      details jsonb not null default '{}',
      reason text not null check (reason <> '')
    );
    create index operator_actions_member on operator_actions ("userId", id desc)
      where "userId" is not null;

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create trigger operator_actions_append_only
      before update or delete or truncate on operator_actions
      for each statement execute function refuse_change();
    alter table operator_actions enable always trigger operator_actions_append_only;

    create table reviewers (
      id integer primary key generated always as identity,
      name text not null unique,
      password text not null,
      sealed bytea not null,
      "lastStep" bigint not null default 0,
      tries integer not null default 0,
      "triedAt" timestamptz,
      "createdAt" timestamptz not null default now()
    );
  `)
}
