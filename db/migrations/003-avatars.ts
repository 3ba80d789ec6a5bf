import type { Knex } from 'knex'

/**
 * The release before runs on the migrated schema with limits: it shows a letter instead of an uploaded
 * picture, and rejects a profile that is saved with one.
 */
export const runsWith = '002-maintenance-steps'

/** Uploaded avatars become files of their own; before, `users.avatar` held them as data URLs. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table avatars (
      "userId" integer primary key references users (id),
      -- SHA-256 of the bytes, in hexadecimal digits. Members with the same picture share it.
      hash text not null check (hash ~ '^[0-9a-f]{64}$'),
      -- JPEG.
      bytes bytea not null,
      "createdAt" timestamptz not null default now()
    );
    -- It is compressed already.
    alter table avatars alter column bytes set storage external;
    create index avatars_hash on avatars (hash);

    insert into avatars ("userId", hash, bytes)
      select id, encode(sha256(bytes), 'hex'), bytes from (
        select id, decode(split_part(avatar, ',', 2), 'base64') as bytes
        from users where avatar like 'data:image/jpeg;base64,%'
      ) uploaded;
    update users set avatar = '/avatars/' || hash || '.jpg'
      from avatars where avatars."userId" = users.id
  `)
}
