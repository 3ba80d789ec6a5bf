import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { deleteOldMails } from './mails.ts'
import { deleteOld } from './old-rows.ts'

let fresh: FreshDatabase

/** Records how many rows each statement deletes. */
const COUNTING_SQL = `
  create table batches (id integer generated always as identity, "from" text, rows bigint);
  create function count_deleted() returns trigger language plpgsql as $$
  begin
    insert into batches ("from", rows) select tg_table_name, count(*) from gone;
    return null;
  end $$;
  create trigger counted after delete on idempotency_keys
    referencing old table as gone for each statement execute function count_deleted();
  create trigger counted after delete on mails
    referencing old table as gone for each statement execute function count_deleted()`

beforeAll(async () => {
  fresh = await freshDatabase()
  if (isOneServer()) await fresh.db.raw(COUNTING_SQL)
})
afterAll(() => fresh.close())

/** Citus, which has no such triggers, deletes all at once. */
async function expectBatches(table: string, batches: number[]): Promise<void> {
  if (!isOneServer()) return
  expect(await fresh.db('batches').where({ from: table }).orderBy('id').pluck('rows')).toEqual(
    batches,
  )
}

it('old rows are deleted in batches, recent ones stay', async () => {
  const userId = await insertMember(fresh.db)
  await fresh.db.raw(
    `insert into idempotency_keys ("userId", bucket, key, route, "createdAt")
     select :userId::integer, :userId::integer % 1024, n, 'POST /api/mining/claim',
       now() - case when n <= 20003 then interval '3 days' else interval '1 day' end
     from generate_series(1, 20005) n`,
    { userId },
  )
  expect(await deleteOld(fresh.db, 'idempotency_keys')).toBe(20_003)
  await expectBatches('idempotency_keys', [10_000, 10_000, 3])
  expect(await fresh.db('idempotency_keys').orderBy('key').pluck('key')).toEqual(['20004', '20005'])
})

it('old mails are deleted in batches, recent ones stay', async () => {
  await fresh.db.raw(
    `insert into mails (recipient, "recipientKey", subject, "sentAt", "failedAt")
     select '', '', '', case when n <= 20001 then now() - interval '8 days' end,
       case n when 20002 then now() - interval '31 days' when 20003 then now() - interval '29 days' end
     from generate_series(1, 20003) n`,
  )
  expect(await deleteOldMails(fresh.db)).toBe(20_002)
  await expectBatches('mails', [10_000, 10_000, 2])
  expect(await fresh.db('mails')).toHaveLength(1)
})
