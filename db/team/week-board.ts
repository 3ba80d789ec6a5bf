import { randomUUID } from 'node:crypto'
import { momentOf, SNAPSHOT_CLOCKS } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { DAY_MS, MINUTE_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import type { RedisClient } from '#runtime/redis/redis-client'
import { CHUNKS, listedMembers, type Mined, sealedDays, sumMined, weekStart } from './mined-week.ts'

/** A week's keys outlive it, and those of a run that was killed do not stay. */
const KEPT_MS = 8 * DAY_MS
const RUN_MS = 60 * MINUTE_MS
/** A run begins at the earliest this long after the last one of its week, real ms. */
const PAUSE_MS = MINUTE_MS
/** After a run that failed, which may have been the first of a week, real ms. */
const LONGEST_PAUSE_MS = 10 * MINUTE_MS
/** A run takes at most this share of the time of the workers and the database. */
const SHARE = 0.02
/** Members of one ZADD or ZMSCORE: bounds the time for which it delays other commands. */
const BATCH = 1_000

/** All keys are in one slot of a cluster, because their names begin with the same hash tag. */
const PUBLISH = `
  for i = 1, 3, 2 do
    redis.call('unlink', KEYS[i + 1])
    if redis.call('exists', KEYS[i]) == 1 then redis.call('rename', KEYS[i], KEYS[i + 1]) end
    redis.call('pexpire', KEYS[i + 1], ARGV[2])
  end
  redis.call('set', KEYS[5], ARGV[1], 'px', ARGV[2])`

/** What is known of a run: when it read the ledger, real ms, and how long it took. */
type Built = { readAt: number; tookMs: number }

/** What a chunk's members mined on the first days of a week, and the newest seal of those days. */
type Sums = { days: number; seal?: number; mined: Mined[] }

/** Product time, and real time as `asOf`. */
const readClocks = async (db: Db) => momentOf((await db.raw(`select ${SNAPSHOT_CLOCKS}`)).rows[0])

const endOf = (week: number, sealed: number[]) => week + sealed.length * DAY_MS

/** A member with the place from 1 among all listed members. */
export type Place = { memberId: number; units: number; place: number }

/** TESP mined this week in two sorted sets, all members and listed ones; a run replaces both from the ledger. */
export class WeekBoardSets {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  private key(...names: (string | number)[]): string {
    return `{${this.prefix}:week-board}:${names.join(':')}`
  }

  private async add(key: string, mined: Mined[]): Promise<void> {
    for (let from = 0; from < mined.length; from += BATCH) {
      const members = mined.slice(from, from + BATCH).flatMap(([id, units]) => [units, id])
      // Together: a run that fails leaves no key that never expires.
      await this.redis
        .multi()
        .zadd(key, ...members)
        .pexpire(key, RUN_MS)
        .exec()
    }
  }

  /** The sums of a chunk's sealed days; Redis keeps them, so a run reads only days with a new seal. */
  private async sealedSums(
    db: Db,
    chunk: number[],
    week: number,
    sealed: number[],
  ): Promise<Mined[]> {
    if (sealed.length === 0) return []
    const key = this.key('sealed-days', dayText(week), chunk[0] ?? 0)
    const text = await this.redis.get(key)
    let sums: Sums = text ? JSON.parse(text) : { days: 0, mined: [] }
    if (sealed[sums.days - 1] !== sums.seal) sums = { days: 0, mined: [] }
    if (sums.days === sealed.length) return sums.mined
    let { mined } = sums
    for (let from = week + sums.days * DAY_MS; from < endOf(week, sealed); from += DAY_MS) {
      mined = joined(mined, await sumMined(db, chunk, { from, to: from + DAY_MS }))
    }
    sums = { days: sealed.length, seal: sealed.at(-1), mined }
    await this.redis.set(key, JSON.stringify(sums), 'PX', KEPT_MS)
    return mined
  }

  /** Whether the last run of this week, or one that failed, is too recent for another one. */
  async isFresh(db: Db): Promise<boolean> {
    if (await this.redis.exists(this.key('failed'))) return true
    const { now, asOf } = await readClocks(db)
    const built = await this.built(weekStart(now))
    if (!built || built.readAt > asOf) return false
    return asOf < built.readAt + Math.max(PAUSE_MS, built.tookMs / SHARE)
  }

  /** Replaces the sets from the ledger; sealed days are read once. False, with nothing changed, if `isStopping`. */
  async rebuild(db: Db, isStopping: () => boolean = () => false): Promise<boolean> {
    const startedAt = performance.now()
    try {
      return await this.replace(db, startedAt, isStopping)
    } catch (error) {
      const tookMs = performance.now() - startedAt
      const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, tookMs / SHARE))
      await this.redis.set(this.key('failed'), '1', 'PX', Math.round(pauseMs)).catch(() => {})
      throw error
    }
  }

  private async replace(db: Db, startedAt: number, isStopping: () => boolean): Promise<boolean> {
    const { now, asOf: readAt } = await readClocks(db)
    const week = weekStart(now)
    const sealed = await sealedDays(db, week)
    const listed = await listedMembers(db)
    const run = randomUUID()
    const next = { all: this.key('next', run, 'all'), listed: this.key('next', run, 'listed') }
    for (const chunk of CHUNKS) {
      if (isStopping()) return false
      const open = { from: endOf(week, sealed), to: week + 7 * DAY_MS }
      const mined = joined(
        await this.sealedSums(db, chunk, week, sealed),
        await sumMined(db, chunk, open),
      )
      await this.add(next.all, mined)
      await this.add(
        next.listed,
        mined.filter(([id]) => listed.has(id)),
      )
    }
    const built: Built = { readAt, tookMs: performance.now() - startedAt }
    const { all, everyone, facts } = this.keysOf(week)
    const keys = [next.all, all, next.listed, everyone, facts]
    await this.redis.eval(PUBLISH, keys.length, ...keys, JSON.stringify(built), KEPT_MS)
    return true
  }

  private keysOf(week: number) {
    const day = dayText(week)
    return {
      all: this.key(day, 'all'),
      everyone: this.key(day, 'listed'),
      facts: this.key(day, 'built'),
    }
  }

  /** The last run; undefined before the first one of the week. */
  async built(week: number): Promise<Built | undefined> {
    const text = await this.redis.get(this.keysOf(week).facts)
    return text ? JSON.parse(text) : undefined
  }

  /** Units of each of these members, 0 for one who mined nothing. */
  async unitsOf(week: number, memberIds: number[]): Promise<number[]> {
    const { all } = this.keysOf(week)
    const units: number[] = []
    for (let from = 0; from < memberIds.length; from += BATCH) {
      const scores = await this.redis.zmscore(all, ...memberIds.slice(from, from + BATCH))
      units.push(...scores.map((score) => Number(score ?? 0)))
    }
    return units
  }

  /** The place of a listed member from 1; null for one who is not listed or mined nothing. */
  async placeOf(week: number, memberId: number): Promise<number | null> {
    const rank = await this.redis.zrevrank(this.keysOf(week).everyone, memberId)
    return rank === null ? null : rank + 1
  }

  /** Listed members at the places `from`…`to`. */
  async places(week: number, from: number, to: number): Promise<Place[]> {
    const { everyone } = this.keysOf(week)
    const pairs = await this.redis.zrevrange(everyone, from - 1, to - 1, 'WITHSCORES')
    return Array.from({ length: pairs.length / 2 }, (_, n) => {
      return { memberId: Number(pairs[2 * n]), units: Number(pairs[2 * n + 1]), place: from + n }
    })
  }

  /** Number of listed members who mined this week. */
  async listedCount(week: number): Promise<number> {
    return this.redis.zcard(this.keysOf(week).everyone)
  }

  /** Shows a member's choice at once, which the next run reads from Postgres. */
  async list(week: number, memberId: number, isListed: boolean): Promise<void> {
    const { all, everyone } = this.keysOf(week)
    if (!isListed) return void (await this.redis.zrem(everyone, memberId))
    const units = await this.redis.zscore(all, String(memberId))
    if (units === null) return
    await this.redis.multi().zadd(everyone, units, memberId).pexpire(everyone, KEPT_MS).exec()
  }
}

/** Sums of two periods; members without any are left out. */
function joined(first: Mined[], second: Mined[]): Mined[] {
  const units = new Map(first)
  for (const [id, more] of second) units.set(id, (units.get(id) ?? 0) + more)
  return [...units]
}
