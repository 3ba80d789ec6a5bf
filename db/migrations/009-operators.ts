import type { Knex } from 'knex'

/**
 * The release before runs on the migrated schema with limits: its page of reviewers, `ops reviewers` and
 * `ops keys` do not, because reviewers have become operators.
 */
export const runsWith = '002-maintenance-steps'

/** Reviewers become operators with roles, who sign in to the console. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table reviewers rename to operators;
    alter index reviewers_pkey rename to operators_pkey;
    alter index reviewers_name_key rename to operators_name_key;
    alter table operators
      add column role text not null default 'reviewer'
        check (role in ('reader', 'support', 'reviewer', 'owner')),
      -- Of the token in an invitation's link; null once it was accepted.
      add column "invitationHash" text unique,
      add column "invitedUntil" timestamptz,
      -- Null until the invitation is accepted.
      alter column password drop not null,
      drop column tries,
      drop column "triedAt",
      add constraint operators_invitation_ends
        check (("invitationHash" is null) = ("invitedUntil" is null)),
      add constraint operators_invited_or_accepted
        check (("invitationHash" is null) = (password is not null));
    alter table operators alter column role drop default;

    create table operator_sign_ins (
      id bigint primary key generated always as identity,
      "operatorId" integer not null references operators (id) on delete cascade,
      -- Of the cookie.
      "tokenHash" text not null unique,
      device text not null,
      network text not null,
      "createdAt" timestamptz not null default now(),
      "seenAt" timestamptz not null default now()
    );
    create index operator_sign_ins_operator on operator_sign_ins ("operatorId", id);

    -- Null for commands on a terminal. No foreign key: the log outlives the account.
    alter table operator_actions add column "operatorId" integer;
    -- Of the form that was confirmed: sent twice it acts once.
    alter table operator_actions add column "formKey" text;
    create unique index operator_actions_form on operator_actions ("formKey");
    create index operator_actions_operator on operator_actions (operator, id desc);
    create index operator_actions_action on operator_actions (action, id desc);
    create index operator_actions_both on operator_actions (operator, action, id desc);
  `)
}
