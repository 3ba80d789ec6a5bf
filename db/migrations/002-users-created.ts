import type { Knex } from 'knex'

/** The release before counts the sign-ups of a day without it, by reading all members. */
export const runsWith = '001-first-release'

/** The members of a day, as `db/daily-figures.ts` counts them. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`create index if not exists users_created on users ("createdAt")`)
}
