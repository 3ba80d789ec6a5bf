import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { dayText } from '#rules/duration-text'
import { fromUnits } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import type { BoardRow, WeekBoard, WeekBoards } from '#rules/snapshots'
import { boardTeam, shownMembers, weekStart } from './mined-week.ts'
import type { Place, WeekBoardSets } from './week-board.ts'

/** Rows at the top of a board, and on each side of the member. */
const FIRST = 5
const BESIDE = 2

function shownPlaces(own: number | null): [from: number, to: number][] {
  if (own === null) return [[1, FIRST]]
  if (own - BESIDE <= FIRST + 1) return [[1, Math.max(FIRST, own + BESIDE)]]
  return [
    [1, FIRST],
    [own - BESIDE, own + BESIDE],
  ]
}

type Reader = { db: Db; sets: WeekBoardSets; week: number; memberId: number }

/** Most first; equal amounts in the order of sign-up. */
const byAmount = (a: Place, b: Place) => b.units - a.units || a.memberId - b.memberId

async function teamBoard(
  { db, sets, week, memberId }: Reader,
  { inviterId, others }: { inviterId: number | null; others: number[] },
): Promise<WeekBoard> {
  const ids = [memberId, ...others]
  const units = await sets.unitsOf(week, ids)
  const all = ids
    .map((id, at) => ({ memberId: id, units: units[at] ?? 0, place: 0 }))
    .sort(byAmount)
    .map((row, at) => ({ ...row, place: at + 1 }))
  const own = all.findIndex((row) => row.memberId === memberId) + 1
  const places = shownPlaces(own).flatMap(([from, to]) => all.slice(from - 1, to))
  const names = await shownMembers(db, places)
  const rows = places.map((row) => ({ ...row, name: names.get(row.memberId)?.username ?? null }))
  return { members: all.length, rows: withGaps(rows, { memberId, inviterId }) }
}

async function everyoneBoard({ db, sets, week, memberId }: Reader): Promise<WeekBoard> {
  const own = await sets.placeOf(week, memberId)
  const read = shownPlaces(own).map(([from, to]) => sets.places(week, from, to))
  const places = (await Promise.all(read)).flat()
  const shown = await shownMembers(db, places)
  // Members who left, were frozen or deleted since the last run are not shown.
  const rows = places.flatMap((row) => {
    const member = shown.get(row.memberId)
    if (!member?.listing) return []
    const isNamed = member.listing === 'name' || row.memberId === memberId
    return [{ ...row, name: isNamed ? member.username : null }]
  })
  const members = await sets.listedCount(week)
  return { members, rows: withGaps(rows, { memberId, inviterId: null }) }
}

function withGaps(
  rows: (Place & { name: string | null })[],
  { memberId, inviterId }: { memberId: number; inviterId: number | null },
): BoardRow[] {
  return rows.map(({ memberId: id, units, place, name }, at) => ({
    rank: units > 0 ? place : null,
    who: id === memberId ? 'self' : id === inviterId ? 'inviter' : 'member',
    name,
    tesp: fromUnits(BigInt(units)),
    gap: place > (rows[at - 1]?.place ?? 0) + 1,
  }))
}

/** This week's boards, without a read of the ledger. @throws {RuleError} `board_unavailable` before the first run */
export async function readWeekBoards(
  db: Db,
  sets: WeekBoardSets,
  memberId: number,
): Promise<WeekBoards> {
  const week = weekStart(await productNow(db))
  const built = await sets.built(week)
  if (!built)
    throw new RuleError('board_unavailable', 'The board is not available right now', 5_000)
  const { listing, ...team } = await boardTeam(db, memberId)
  const reader = { db, sets, week, memberId }
  return {
    week: dayText(week),
    readAt: new Date(built.readAt).toISOString(),
    team: await teamBoard(reader, team),
    listing,
    everyone: listing && (await everyoneBoard(reader)),
  }
}
