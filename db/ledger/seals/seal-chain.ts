import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { isoTimes } from '#db/postgres/statements/times'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { FIRST_PREVIOUS, type Seal, type SealKey, sealText } from '#rules/seal/seal'

const SEALS_MAX = 1_000

/** A seal with what only the server uses. */
export type StoredSeal = Seal & { salt: Buffer; leavesId: string }

/** `day` as text, because a date has no time zone. `encode` breaks the line of a signature. */
const columns = (db: Db) =>
  db.raw(`number, day::text as day, reason, rows, members, encode(root, 'hex') as root,
    encode(previous, 'hex') as previous, encode(hash, 'hex') as hash, "sealedAt",
    translate(encode(signature, 'base64'), chr(10), '') as signature,
    encode("publicKey", 'base64') as "publicKey"`)

/** Seals behind `after` in the order of the chain, at most `SEALS_MAX`, of one day if it is given. */
export async function readSeals(db: Db, after: number, day?: string): Promise<Seal[]> {
  const rows = await db('ledger_seals')
    .where('number', '>', after)
    .where(day === undefined ? {} : { day })
    .orderBy('number')
    .limit(SEALS_MAX)
    .select(columns(db))
  return rows.map(isoTimes<Seal>)
}

/** Consecutive seals of one key are one period (gaps and islands): the difference of both numbers is constant. */
const KEYS_SQL = `
  select encode("publicKey", 'base64') as "publicKey", min(number) as "from", max(number) as "to",
    min("sealedAt") as since, max("sealedAt") as until
  from (
    select *, row_number() over (order by number)
      - row_number() over (partition by "publicKey" order by number) as period
    from ledger_seals where signature is not null
  ) signed
  group by "publicKey", period
  order by "from"`

/** The public keys of the chain with their periods, the oldest first; the last one is in use. */
export async function readSealKeys(db: Db): Promise<SealKey[]> {
  const keys: SealKey[] = (await db.raw(KEYS_SQL)).rows.map(isoTimes<SealKey>)
  return keys.map((key, i) => (i === keys.length - 1 ? { ...key, to: null, until: null } : key))
}

/** The days that have a seal, the newest first. */
export async function sealedDays(db: Db): Promise<string[]> {
  const { rows } = await db.raw(
    'select distinct day, day::text as text from ledger_seals order by day desc',
  )
  return rows.map(({ text }: { text: string }) => text)
}

/** The seal that counts for a day: the last one; undefined for a day without. */
export async function sealOfDay(db: Db, day: string): Promise<StoredSeal | undefined> {
  const row = await db('ledger_seals')
    .where({ day })
    .orderBy('number', 'desc')
    .first(columns(db), 'salt', 'leavesId')
  return row && isoTimes(row)
}

type SealedContent = Pick<
  StoredSeal,
  'day' | 'reason' | 'rows' | 'members' | 'salt' | 'leavesId'
> & { root: Buffer }

/** A roll-up of the day `:day` as text: of its partition, or of that of its month. */
export const ROLLUP_OF_DAY = `replace(:day::text, '-', '') like
  right(partition, -length('wallet_activity_')) || '%'`

const ROLLED_SQL = `
  select s.day::text as day from ledger_rollups r
  join lateral (
    select distinct on (day) day, "sealedAt" from ledger_seals
    where to_char(day, 'YYYYMMDD') like right(r.partition, -length('wallet_activity_')) || '%'
    order by day, number desc
  ) s on s."sealedAt" < r."swappedAt"
  order by s.day limit 1`

/** The first day, as text, that was rolled up after its last seal and is to be sealed again. */
export async function rolledDay(db: Db): Promise<string | undefined> {
  const { rows } = await db.raw(ROLLED_SQL)
  return rows[0]?.day
}

/** Behind the roll-up of the day, although the clock of Postgres may have been set back since. */
const SEALED_AT_SQL = `
  select date_trunc('milliseconds', greatest(now(), max("swappedAt") + interval '1 ms')) as "sealedAt"
  from ledger_rollups where ${ROLLUP_OF_DAY}`

/** Appends a seal to the chain, unsigned. One process at a time seals (`takeStep`). */
export async function appendSeal(tx: Tx, content: SealedContent): Promise<void> {
  const { root, salt, leavesId, ...facts } = content
  const last = await tx('ledger_seals').orderBy('number', 'desc').first('number', 'hash')
  const { rows } = await tx.raw(SEALED_AT_SQL, { day: facts.day })
  const sealedAt: Date = rows[0].sealedAt
  const seal = {
    ...facts,
    number: (last?.number ?? 0) + 1,
    previous: last?.hash.toString('hex') ?? FIRST_PREVIOUS,
    root: root.toString('hex'),
    sealedAt: sealedAt.toISOString(),
  }
  await tx('ledger_seals').insert({
    ...facts,
    number: seal.number,
    previous: Buffer.from(seal.previous, 'hex'),
    root,
    hash: createHash('sha256').update(sealText(seal)).digest(),
    sealedAt,
    salt,
    leavesId,
  })
}

/** What precedes the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The Ed25519 key of a seed of 32 bytes (`LEDGER_SEAL_KEY`). */
export const sealKey = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })

/** The 32 bytes of a private key's public key. */
export function publicBytes(key: KeyObject): Buffer {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')
}

/** Signs the seals that have no signature, the oldest first; returns their number. */
export async function signSeals(db: Db, key: KeyObject): Promise<number> {
  const unsigned = await db('ledger_seals')
    .whereNull('signature')
    .orderBy('number')
    .limit(SEALS_MAX)
    .select(columns(db))
  for (const row of unsigned) {
    const signature = sign(null, Buffer.from(sealText(isoTimes<Seal>(row))), key)
    await db('ledger_seals')
      .where({ number: row.number })
      .whereNull('signature')
      .update({ signature, publicKey: publicBytes(key) })
  }
  return unsigned.length
}
