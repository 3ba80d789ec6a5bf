import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { Place } from '#gateway/services/device-list'
import { newToken, type Operator, type StoredOperator, tokenHash } from './operators.ts'

/** Minutes without a request, and hours in all, after which a sign-in to the console ends. */
export const IDLE_MINUTES = 15
const LONGEST_HOURS = 8

/** `row` is the name of the table in the statement. */
const valid = (
  row = 'operator_sign_ins',
) => `${row}."seenAt" > now() - interval '${IDLE_MINUTES} minutes'
  and ${row}."createdAt" > now() - interval '${LONGEST_HOURS} hours'`

export type SignedIn = Operator & { signIn: number }

/** Returns the cookie's value, 256 random bits; undefined if the password was reset since it was compared. */
export async function beginSignIn(
  tx: Tx,
  { id: operatorId, password }: Pick<StoredOperator, 'id' | 'password'>,
  place: Place,
): Promise<string | undefined> {
  const isCurrent = await tx('operators')
    .where({ id: operatorId, password })
    .forUpdate()
    .first('id')
  if (!isCurrent) return undefined
  await tx('operator_sign_ins').whereRaw(`not (${valid()})`).delete()
  const token = newToken()
  await tx('operator_sign_ins').insert({ operatorId, tokenHash: tokenHash(token), ...place })
  return token
}

/** Postpones the end of an idle sign-in, except for a request that a page sends by itself. */
export async function signedInBy(
  db: Db,
  token: string,
  isActive: boolean,
): Promise<SignedIn | undefined> {
  const { rows } = await db.raw(
    `with seen as (
       update operator_sign_ins set "seenAt" = case when :isActive then now() else "seenAt" end
       where "tokenHash" = :hash and ${valid()}
       returning id, "operatorId"
     )
     select o.id, o.name, o.role, seen.id as "signIn" from seen join operators o on o.id = "operatorId"`,
    { hash: tokenHash(token), isActive },
  )
  return rows[0]
}

/** Even if the sign-in is over: for the log of what was refused. */
export async function ownerOfSignIn(db: Db, token: string): Promise<Operator | undefined> {
  return db('operator_sign_ins as s')
    .join('operators as o', 'o.id', 's.operatorId')
    .where({ tokenHash: tokenHash(token) })
    .first('o.id', 'o.name', 'o.role')
}

export type ListedSignIn = Place & { id: number; name: string; createdAt: Date; seenAt: Date }

export async function listSignIns(db: Db, operatorId?: number): Promise<ListedSignIn[]> {
  const signIns = db('operator_sign_ins as s')
    .join('operators as o', 'o.id', 's.operatorId')
    .whereRaw(valid('s'))
    .orderBy('s.id', 'desc')
  if (operatorId !== undefined) signIns.where('s.operatorId', operatorId)
  return signIns.select('s.id', 'o.name', 's.device', 's.network', 's.createdAt', 's.seenAt')
}

/** Ends one sign-in or all; returns how many had not ended. */
export async function endSignIns(tx: Tx, operatorId: number, signIn?: number): Promise<number> {
  const ended = tx('operator_sign_ins').where({ operatorId }).delete()
  if (signIn !== undefined) ended.where({ id: signIn })
  const rows: { wasValid: boolean }[] = await ended.returning(tx.raw(`${valid()} as "wasValid"`))
  return rows.filter(({ wasValid }) => wasValid).length
}

/** `state` says whether the invitation was accepted, `signIns` how many have not ended. */
export type ListedOperator = Operator & {
  state: string
  addedAt: Date
  signIns: number
  seenAt: Date | null
}

export async function listOperators(db: Db): Promise<ListedOperator[]> {
  const { rows } = await db.raw(`
    select o.id, o.name, o.role, o."createdAt" as "addedAt",
      case when o.password is not null then 'active'
        when o."invitedUntil" > now() then 'invited' else 'invitation expired' end as state,
      count(s.id) filter (where ${valid('s')})::int as "signIns", max(s."seenAt") as "seenAt"
    from operators o left join operator_sign_ins s on s."operatorId" = o.id
    group by o.id order by o.name`)
  return rows
}
