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
  type Action,
  argument,
  limitOf,
  type OpsCall,
  type OpsCommand,
  wholeNumber,
} from './command.ts'

/** @throws {RuleError} `bad_input` */
function draftOf(call: OpsCall, at: number): Draft {
  let draft: Draft | null = null
  try {
    draft = JSON.parse(argument(call, at))
  } catch {
    // Reported below.
  }
  if (typeof draft !== 'object' || draft === null) {
    throw new RuleError('bad_input', `Give the announcement as JSON, such as ${EXAMPLE}`)
  }
  checkDraft(draft, Date.now())
  return draft
}

const EXAMPLE = `'{"kind":"news","until":"2026-12-24T00:00:00Z","texts":{"en":"…","vi":"…"}}'`

/** Gateways push it after the commit. */
const acting =
  (act: (tx: Tx) => Promise<number>, says: string, draft?: Draft): Action['run'] =>
  async (tx) => {
    const id = await act(tx)
    return {
      says: `announcement ${id} ${says}`,
      details: { announcement: id, ...(draft && { kind: draft.kind, ...draft.texts }) },
      publishes: [{ kind: 'announcements' }],
    }
  }

const shown = ({ kind, texts, from = 'now', until }: Draft) =>
  `${kind}, ${from} to ${until}\n  en: ${texts?.en}\n  vi: ${texts?.vi}\n`

const idOf = (call: OpsCall) => wholeNumber(argument(call), 'The announcement')

export const announcementCommands = {
  'announcements list': {
    options: ['[--limit <n>]'],
    does: 'the newest announcements, 20 without --limit; those that have ended too',
    list: async (call) =>
      (await listAnnouncements(call.db, limitOf(call, 20))).map(({ texts, ...row }) => ({
        ...row,
        ...texts,
      })),
  },
  'announcements add': {
    takes: '<json>',
    does: 'tells all members: kind news, maintenance or urgent; from, until, texts in en and vi',
    usualReason: 'announcement',
    act: async (call) => {
      const draft = draftOf(call, 0)
      return {
        asks: `Tell all members this?\n${shown(draft)}`,
        run: acting((tx) => addAnnouncement(tx, draft), 'is published', draft),
      }
    },
  },
  'announcements edit': {
    takes: '<announcement> <json>',
    does: 'replaces one that has not ended; who has read it is not told again',
    usualReason: 'announcement corrected',
    act: async (call) => {
      const [id, draft] = [idOf(call), draftOf(call, 1)]
      return {
        asks: `Replace announcement ${id} by this?\n${shown(draft)}`,
        run: acting((tx) => editAnnouncement(tx, id, draft), 'is changed', draft),
      }
    },
  },
  'announcements end': {
    takes: '<announcement>',
    does: 'ends one now: its banner goes; maintenance that has not begun is withdrawn',
    usualReason: 'announcement ended',
    act: async (call) => {
      const id = idOf(call)
      const run = acting((tx) => endAnnouncement(tx, id), 'has ended')
      return { asks: `End announcement ${id}?`, run }
    },
  },
} satisfies Record<string, OpsCommand>
