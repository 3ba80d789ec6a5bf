import type { Tx } from '#db/postgres/statements/transaction'

/**
 * Makes a partition refuse a credit whose interval is part of a rolled-up row, with SQLSTATE 23505 as
 * the primary key refuses an id that exists. For partitions of the past, where hardly a row arrives.
 */
export async function refuseRolledCredits(tx: Tx, partition: string): Promise<void> {
  await tx.raw(
    `create trigger refuse_rolled_credit before insert on ?? for each row
       when (new.id like 'credit:%' and new.id not like '%-%')
       execute function refuse_rolled_credit()`,
    [partition],
  )
}
