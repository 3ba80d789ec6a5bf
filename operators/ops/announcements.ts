import { listAnnouncements } from '#db/inbox/announcements'
import { refuse } from '#operators/actions/action-log'
import {
  addAnnouncement,
  checkDraft,
  type Draft,
  editAnnouncement,
  endAnnouncement,
} from '#operators/actions/announcements'
import {
  acting,
  argument,
  type Done,
  newest,
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
    refuse(`Give the announcement as JSON, such as ${EXAMPLE}`)
  }
  checkDraft(draft, Date.now())
  return draft
}

const EXAMPLE = `'{"kind":"news","until":"2026-12-24T00:00:00Z","texts":{"en":"…","vi":"…"}}'`

/** Gateways push it after the commit. */
const changed = (id: number, says: string, draft?: Draft): Done => ({
  says: `announcement ${id} ${says}`,
  details: { announcement: id, ...(draft && { kind: draft.kind, ...draft.texts }) },
  publishes: [{ kind: 'announcements' }],
})

const shown = ({ kind, texts, from = 'now', until }: Draft) =>
  `${kind}, ${from} to ${until}\n  en: ${texts?.en}\n  vi: ${texts?.vi}\n`

const idOf = (call: OpsCall) => wholeNumber(argument(call), 'The announcement')

export const announcementCommands = {
  'announcements list': newest(
    20,
    'the newest announcements, 20 without --limit; those that have ended too',
    async (db, limit) =>
      (await listAnnouncements(db, limit)).map(({ texts, ...row }) => ({ ...row, ...texts })),
  ),
  'announcements add': acting({
    takes: '<json>',
    does: 'tells all members: kind news, maintenance or urgent; from, until, texts in en and vi',
    usualReason: 'announcement',
    of: (call) => draftOf(call, 0),
    asks: (draft) => `Tell all members this?\n${shown(draft)}`,
    run: async (tx, draft) => changed(await addAnnouncement(tx, draft), 'is published', draft),
  }),
  'announcements edit': acting({
    takes: '<announcement> <json>',
    does: 'replaces one that has not ended; who has read it is not told again',
    usualReason: 'announcement corrected',
    of: (call) => ({ id: idOf(call), draft: draftOf(call, 1) }),
    asks: ({ id, draft }) => `Replace announcement ${id} by this?\n${shown(draft)}`,
    run: async (tx, { id, draft }) =>
      changed(await editAnnouncement(tx, id, draft), 'is changed', draft),
  }),
  'announcements end': acting({
    takes: '<announcement>',
    does: 'ends one now: its banner goes; maintenance that has not begun is withdrawn',
    usualReason: 'announcement ended',
    of: idOf,
    asks: (id) => `End announcement ${id}?`,
    run: async (tx, id) => changed(await endAnnouncement(tx, id), 'has ended'),
  }),
} satisfies Record<string, OpsCommand>
