import { renewAccountHash } from '#db/members/telegram'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { renewEndpointHash } from '#db/reminders/push-subscriptions'
import { encrypt, open } from '#runtime/secrets/encryption'

/** Rows read at a time: a document has up to 5 MiB. */
const BATCH = 20

/** Tables with a column `sealed`, and the purpose that its bytes are encrypted for. */
export const SEALED_TABLES = {
  mails: 'mail',
  kyc_documents: 'kyc document',
  operators: 'operator secret',
  push_subscriptions: 'push subscription',
  second_factors: 'second factor',
  telegram_accounts: 'telegram account',
} as const

type SealedTable = keyof typeof SEALED_TABLES

/** Renew the hash by which a row is found; a row under the current key may still have one of an older key. */
const HASHES: Partial<
  Record<SealedTable, (tx: Tx, dataKey: Buffer, id: number, plain: Buffer) => Promise<void>>
> = { push_subscriptions: renewEndpointHash, telegram_accounts: renewAccountHash }

type SealedRow = { id: number; sealed: Buffer }

type KeyUse = { table: string; current: number; older: number; unreadable: number }

const TABLES = Object.entries(SEALED_TABLES) as [SealedTable, string][]

async function* batchesOf(
  read: (afterId: number) => Promise<SealedRow[]>,
): AsyncGenerator<SealedRow[]> {
  for (let rows = await read(0); rows.length > 0; rows = await read(rows.at(-1)?.id ?? 0))
    yield rows
}

const sealedRows = (db: Db, table: SealedTable) => (afterId: number) =>
  db(table)
    .where('id', '>', afterId)
    .whereNotNull('sealed')
    .orderBy('id')
    .limit(BATCH)
    .select<SealedRow[]>('id', 'sealed')

function opened(dataKey: Buffer, purpose: string, { sealed }: SealedRow) {
  try {
    return open(dataKey, purpose, sealed)
  } catch {
    return undefined
  }
}

export async function readKeyUse(db: Db, dataKey: Buffer): Promise<KeyUse[]> {
  const uses: KeyUse[] = []
  for (const [table, purpose] of TABLES) {
    const use = { table, current: 0, older: 0, unreadable: 0 }
    for await (const rows of batchesOf(sealedRows(db, table))) {
      for (const row of rows) {
        const found = opened(dataKey, purpose, row)
        use[found ? (found.isCurrent ? 'current' : 'older') : 'unreadable']++
      }
    }
    uses.push(use)
  }
  return uses
}

/** Rows that no key decrypts stay as they are. Each batch is a transaction, which locks its rows. */
export async function renewSealedRows(db: Db, dataKey: Buffer): Promise<void> {
  for (const [table, purpose] of TABLES) {
    const renewed = (afterId: number) =>
      inTransaction(db, async (tx) => {
        const rows = await sealedRows(tx, table)(afterId).forUpdate()
        for (const row of rows) {
          const found = opened(dataKey, purpose, row)
          if (!found) continue
          if (!found.isCurrent) {
            const sealed = encrypt(dataKey, purpose, found.plain)
            await tx(table).where({ id: row.id }).update({ sealed })
          }
          await HASHES[table]?.(tx, dataKey, row.id, found.plain)
        }
        return rows
      })
    let rows = await renewed(0)
    while (rows.length > 0) rows = await renewed(rows.at(-1)?.id ?? 0)
  }
}
