import { listAnnouncements } from '#db/inbox/announcements'
import type { Tx } from '#db/postgres/statements/transaction'
import {
  addAnnouncement,
  checkDraft,
  type Draft,
  editAnnouncement,
  endAnnouncement,
} from '#operators/actions/announcements'
import { RuleError } from '#rules/rule-error'
import {
  type ActCommand,
  type Action,
  argument,
  type ListCommand,
  limitOf,
  type OpsCall,
  wholeNumber,
} from './command.ts'
import { publishChange } from './redis.ts'

/** What operators tell all members. */

export const announcementsList: ListCommand = {
  options: ['[--limit <n>]'],
  does: 'the newest announcements, 20 without --limit; those that have ended too',
  list: async (call) =>
    (await listAnnouncements(call.db, limitOf(call, 20))).map(({ texts, ...row }) => ({
      ...row,
      ...texts,
    })),
}

/** The announcement in an argument. @throws {RuleError} `bad_input` */
function draftOf(call: OpsCall, at: number): Draft {
  try {
    const draft: unknown = JSON.parse(argument(call, at))
    if (typeof draft === 'object' && draft !== null) return draft as Draft
  } catch {
    // Reported below.
  }
  throw new RuleError('bad_input', `Give the announcement as JSON, such as ${EXAMPLE}`)
}

const EXAMPLE = `'{"kind":"news","until":"2026-12-24T00:00:00Z","texts":{"en":"…","vi":"…"}}'`

/** An action on an announcement, which the gateways push after the commit. */
const acting = (
  call: OpsCall,
  asks: string,
  { act, says, draft }: { act: (tx: Tx) => Promise<number>; says: string; draft?: Draft },
): Action => ({
  asks,
  run: async (tx) => {
    const id = await act(tx)
    return {
      says: `announcement ${id} ${says}`,
      details: { announcement: id, ...(draft && { kind: draft.kind, ...draft.texts }) },
      after: () => publishChange(call, { kind: 'announcements' }),
    }
  },
})

const shown = ({ kind, texts, from = 'now', until }: Draft) =>
  `${kind}, ${from} to ${until}\n  en: ${texts?.en}\n  vi: ${texts?.vi}\n`

const idOf = (call: OpsCall) => wholeNumber(argument(call), 'The announcement')

export const announcementsAdd: ActCommand = {
  takes: '<json>',
  does: 'tells all members: kind news, maintenance or urgent; from, until, texts in en and vi',
  usualReason: 'announcement',
  act: async (call) => {
    const draft = draftOf(call, 0)
    checkDraft(draft, Date.now())
    const asks = `Tell all members this?\n${shown(draft)}`
    return acting(call, asks, {
      act: (tx) => addAnnouncement(tx, draft),
      says: 'is published',
      draft,
    })
  },
}

export const announcementsEdit: ActCommand = {
  takes: '<announcement> <json>',
  does: 'replaces one that has not ended; who has read it is not told again',
  usualReason: 'announcement corrected',
  act: async (call) => {
    const [id, draft] = [idOf(call), draftOf(call, 1)]
    checkDraft(draft, Date.now())
    const asks = `Replace announcement ${id} by this?\n${shown(draft)}`
    return acting(call, asks, {
      act: (tx) => editAnnouncement(tx, id, draft),
      says: 'is changed',
      draft,
    })
  },
}

export const announcementsEnd: ActCommand = {
  takes: '<announcement>',
  does: 'ends one now: its banner goes; maintenance that has not begun is withdrawn',
  usualReason: 'announcement ended',
  act: async (call) => {
    const id = idOf(call)
    const asks = `End announcement ${id}?`
    return acting(call, asks, { act: (tx) => endAnnouncement(tx, id), says: 'has ended' })
  },
}
