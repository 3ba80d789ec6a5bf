import type { Db } from '#db/postgres/statements/transaction'

export type TableDigests = Record<string, string>

/** Digests of all tables; equal digests mean equal rows. */
export async function tableDigests(db: Db): Promise<TableDigests> {
  const { rows: tables } = await db.raw(
    `select c.oid::regclass::text as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const each = tables.map(
    ({ name }: { name: string }) =>
      `select '${name.replaceAll("'", "''")}' as name, count(*) || ' rows, ' ||
         md5(coalesce(string_agg(md5(r::text), '' order by md5(r::text)), '')) as digest
       from ${name} r`,
  )
  const { rows } = await db.raw(each.join(' union all '))
  return Object.fromEntries(
    rows.map(({ name, digest }: { name: string; digest: string }) => [name, digest]),
  )
}
