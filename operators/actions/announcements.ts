import { ANNOUNCEMENTS } from '#db/ledger/poll-log'
import { sqlState, type Tx } from '#db/postgres/statements/transaction'
import { ANNOUNCEMENT_CHARACTERS, ANNOUNCEMENT_KINDS, type Announcement } from '#rules/inbox'
import { isLanguage, LANGUAGES } from '#rules/members/languages'
import { RuleError } from '#rules/rule-error'
import { refuse } from './action-log.ts'

/** Without `from` it counts from now on. */
export type Draft = Pick<Announcement, 'kind' | 'texts' | 'until'> & { from?: string }

const NOT_IN_ORDER = 'from must be before until'

/** A tag, a link in Markdown or an invisible control character. */
const MARKUP = /<[a-z!/]|\]\(|\p{Cc}|[\u202a-\u202e\u2066-\u2069]/iu

function checkTexts(texts: Draft['texts']): void {
  const others = Object.keys(texts).filter((key) => !isLanguage(key))
  if (others.length > 0) refuse(`There is no language ${others.join(', ')}`)
  for (const language of LANGUAGES) {
    const text = texts[language]
    if (typeof text !== 'string' || text !== text.trim() || text === '') {
      refuse(`texts.${language} must be a text without blanks at its ends`)
    }
    if ([...text].length > ANNOUNCEMENT_CHARACTERS) {
      refuse(`texts.${language} must have at most ${ANNOUNCEMENT_CHARACTERS} characters`)
    }
    if (MARKUP.test(text)) refuse(`texts.${language} must be plain text in one line`)
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

function timeOf(name: string, text: string): number {
  const at = typeof text === 'string' && TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) refuse(`${name} must be a time such as 2026-12-01T20:00:00Z`)
  return at
}

/** `now` is in real ms. Only maintenance may begin later: it is announced at once. @throws {RuleError} `bad_input` */
export function checkDraft(draft: Draft, now: number): void {
  if (!ANNOUNCEMENT_KINDS.includes(draft.kind)) {
    refuse(`kind must be one of ${ANNOUNCEMENT_KINDS.join(', ')}`)
  }
  if (typeof draft.texts !== 'object' || draft.texts === null) refuse('texts are missing')
  checkTexts(draft.texts)
  const until = timeOf('until', draft.until)
  if (until <= now) refuse('until must be in the future')
  if (draft.from === undefined) {
    if (draft.kind === 'maintenance') refuse('from must say when the maintenance begins')
    return
  }
  const from = timeOf('from', draft.from)
  if (from >= until) refuse(NOT_IN_ORDER)
  if (draft.kind !== 'maintenance' && from > now) {
    refuse('Only maintenance may begin later: it is announced at once')
  }
}

/**
 * The lock orders publications: members remember the last id that they read, so a smaller one must not appear later.
 * Gateways read the log of changes even if Redis is away.
 * @throws {RuleError} `bad_input` if by the database's clock an end is not after its beginning
 */
async function change(tx: Tx, work: () => Promise<number>): Promise<number> {
  await tx.raw('lock table announcements in share row exclusive mode')
  const id = await work().catch((error) => {
    if (sqlState(error) === '23514') refuse(NOT_IN_ORDER)
    throw error
  })
  await tx('member_changes').insert({ userId: ANNOUNCEMENTS })
  return id
}

const columnsOf = ({ kind, texts, from, until }: Draft) => ({
  kind,
  texts: JSON.stringify(texts),
  ...(from !== undefined && { from: new Date(from) }),
  until: new Date(until),
})

/** Returns the id. @throws {RuleError} `bad_input` */
export async function addAnnouncement(tx: Tx, draft: Draft): Promise<number> {
  checkDraft(draft, Date.now())
  return change(tx, async () => {
    const values = { from: tx.fn.now(3), ...columnsOf(draft) }
    return (await tx('announcements').insert(values).returning('id'))[0].id
  })
}

const unknown = () => new RuleError('not_found', 'There is no such announcement, or it has ended')

/** Members who read it do not see it as new again. @throws {RuleError} `bad_input`, `not_found` */
export async function editAnnouncement(tx: Tx, id: number, draft: Draft): Promise<number> {
  checkDraft(draft, Date.now())
  return change(tx, async () => {
    const open = tx('announcements').where({ id }).where('until', '>', tx.fn.now())
    // What was maintenance may have a beginning in the future, which nothing else has.
    const from = draft.kind !== 'maintenance' && { from: tx.raw('least("from", now())') }
    if ((await open.update({ ...from, ...columnsOf(draft) })) === 0) throw unknown()
    return id
  })
}

/** One that begins in this millisecond or later is deleted. @throws {RuleError} `not_found` */
export async function endAnnouncement(tx: Tx, id: number): Promise<number> {
  return change(tx, async () => {
    // Not rounded up: a member who signs up right after the end does not see it.
    const end = tx.raw(`date_trunc('milliseconds', now())`)
    const open = () => tx('announcements').where({ id }).where('until', '>', tx.fn.now())
    const withdrawn = await open().where('from', '>=', end).delete()
    if (withdrawn + (await open().update({ until: end })) === 0) throw unknown()
    return id
  })
}
