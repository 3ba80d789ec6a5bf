import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import { prepared } from '#db/postgres/statements/prepared'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import type { InboxKind } from '#rules/inbox'
import type { Language } from '#rules/members/languages'
import { FIRST_PUSH_KINDS, PUSH_KINDS, type PushKind } from '#rules/members/reminders'
import { storePreference } from './mail-reminders.ts'

/** Not pushed: a freeze removes the member's devices, and none is added before its end. */
export type UnpushedKind = 'frozen' | 'released'

/** The switch of a row's kind. Ends of sessions have a reminder; without the team switch there is no row. */
const SWITCHES: Record<
  Exclude<InboxKind, UnpushedKind | 'session-ended' | 'team-reminder'>,
  PushKind
> = {
  'member-joined': 'team',
  'milestone-ready': 'milestone',
  'milestone-paid': 'milestone',
  'identity-decided': 'identity',
  'new-browser': 'sign-in',
  'mail-refused': 'account',
  corrected: 'account',
}

/** The switch of a kind; undefined if it is not pushed, and for one of a newer version. */
export function switchOf(kind: string): PushKind | undefined {
  if (kind === 'session-ended') return 'session'
  if (kind === 'announcement') return 'announcement'
  return SWITCHES[kind as keyof typeof SWITCHES]
}

type Noticed = { memberId: number; kind: InboxKind; fact: string | number }

const QUEUE_SQL = `
  insert into reminders ("userId", "subscriptionId", kind, fact)
  select f."userId", s.id, f.kind, f.fact
  from unnest(:memberIds::integer[], :kinds::text[], :facts::text[], :switches::text[])
    as f("userId", kind, fact, switch)
  join reminder_preferences p on p."userId" = f."userId"
    and (f.switch = any(p."pushKinds") or f.kind = 'team-reminder')
  join push_subscriptions s on s."userId" = f."userId"
  on conflict do nothing`

/** Queues a push to each device of the members who switched the kind on, in the transaction of the row. */
export async function queueNotices(tx: Tx, rows: Noticed[]): Promise<void> {
  const noticed = rows.filter(({ kind }) => kind !== 'session-ended')
  if (noticed.length === 0) return
  await prepared(tx, 'queue-notices', QUEUE_SQL, {
    memberIds: noticed.map(({ memberId }) => memberId),
    kinds: noticed.map(({ kind }) => kind),
    facts: noticed.map(({ fact }) => String(fact)),
    switches: noticed.map(({ kind }) => switchOf(kind) ?? ''),
  })
}

const QUEUE_ANNOUNCEMENTS_SQL = `
  with due as (
    select id, kind from announcements where "queuedAt" is null and until > now() for update skip locked
  ), queued as (
    insert into reminders ("userId", "subscriptionId", kind, fact, "nextTryAt")
    select s."userId", s.id, 'announcement', due.id::text,
      case when due.kind = 'news' then now() else now() - interval '1 day' end
    from due cross join push_subscriptions s
    join reminder_preferences p on p."userId" = s."userId" and 'announcement' = any(p."pushKinds")
    on conflict do nothing
  )
  update announcements a set "queuedAt" = now() from due where a.id = due.id`

/** Queues the pushes of new announcements once, in one long statement; news is sent last (`claimReminders`). */
export async function queueAnnouncements(db: Db): Promise<void> {
  const unqueued = db('announcements').whereNull('queuedAt').where('until', '>', db.fn.now())
  if (!(await unqueued.first('id'))) return
  await inTransaction(db, async (tx) => {
    await withoutTimeLimit(tx)
    await tx.raw(QUEUE_ANNOUNCEMENTS_SQL)
  })
}

type Choice = { kind: PushKind; on: boolean; language: Language }

/** Switches a kind on or off on all devices; an off is stored as a choice too. Call it under the member's lock. */
export async function choosePushKind(
  tx: Tx,
  memberId: number,
  { kind, on, language }: Choice,
): Promise<void> {
  const row = await tx('reminder_preferences').where({ userId: memberId }).first('pushKinds')
  const devices = await tx('push_subscriptions').where({ userId: memberId }).first('id')
  const before: PushKind[] = row?.pushKinds ?? (devices ? FIRST_PUSH_KINDS : [])
  const pushKinds = PUSH_KINDS.filter((one) => (one === kind ? on : before.includes(one)))
  await storePreference(tx, memberId, language, { pushKinds })
}
