import type { Knex } from 'knex'

/** The release before has its two tasks in its code, and pays them as before beside this table. */
export const runsWith = '002-maintenance-steps'

/** Tasks as data. The first two are those of the release before, with its words. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table tasks (
      -- Part of the ledger ids of its claims.
      id text primary key check (id ~ '^[A-Za-z0-9_]{1,64}$'),
      -- Title and description by language.
      texts jsonb not null,
      reward numeric(20, 8) not null check (reward > 0),
      platform text not null check (platform in ('twitter', 'telegram', 'youtube', 'website')),
      action text not null
        check (action in ('follow', 'like', 'share', 'watch', 'visit', 'subscribe')),
      -- Null: the settings have the link.
      link text,
      -- Claims of a member a UTC day; null: one claim of a member for good.
      "dailyLimit" integer check ("dailyLimit" > 0),
      -- Real time; null: from its publication, or until an operator ends it.
      starts timestamptz,
      ends timestamptz,
      -- Claims of all members, and how many of them are paid; counted only with a cap.
      cap integer check (cap > 0),
      claimed integer not null default 0 check (claimed >= 0),
      status text not null default 'draft' check (status in ('draft', 'active', 'ended')),
      "check" text not null check ("check" in ('trust', 'code')),
      -- The code word; operators read it, members never do.
      code text,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      constraint tasks_end_after_start check (ends > starts),
      constraint tasks_ended_has_end check (status <> 'ended' or ends is not null),
      constraint tasks_code_has_word check (("check" = 'code') = (code is not null))
    ) with (fillfactor = 50);
    insert into tasks (id, texts, reward, platform, action, status, "check") values
      ('follow_twitter', '{
        "en": {"title": "Follow us on Twitter",
          "description": "Follow the TESP Network account on Twitter to hear what is new."},
        "vi": {"title": "Theo dõi chúng tôi trên Twitter",
          "description": "Theo dõi tài khoản TESP Network trên Twitter để biết tin mới."}
      }', 2, 'twitter', 'follow', 'active', 'trust'),
      ('join_telegram', '{
        "en": {"title": "Join our Telegram",
          "description": "Join the TESP Network channel on Telegram and meet other members."},
        "vi": {"title": "Tham gia Telegram của chúng tôi",
          "description": "Tham gia kênh TESP Network trên Telegram và làm quen với các thành viên khác."}
      }', 1, 'telegram', 'subscribe', 'active', 'trust');
  `)
}
