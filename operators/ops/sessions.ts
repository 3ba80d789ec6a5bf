import { lockMember } from '#db/members/execute-once'
import { stopMining } from '#db/mining/mining'
import { listQuarantined, releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/connection/product-clock'
import { sessionsOf } from '#operators/actions/members'
import { changeOf } from '#runtime/pubsub'
import {
  acting,
  argument,
  newestOfMember,
  type OpsCommand,
  onMember,
  wholeNumber,
} from './command.ts'

export const sessionCommands = {
  'sessions show': newestOfMember(
    20,
    'the newest mining sessions of a member, 20 without --limit',
    sessionsOf,
  ),
  'sessions end': onMember({
    does: 'stops the running mining session as the member could; the rest becomes pending',
    asks: ({ who }) => `Stop the mining session of ${who}?`,
    run: async (tx, { id: memberId }) => {
      await lockMember(tx, memberId)
      await stopMining(tx, memberId)
      return {
        says: `the mining session of member ${memberId} is stopped`,
        publishes: [changeOf(memberId, 'mining', 'wallet')],
      }
    },
  }),
  'quarantine list': {
    does: 'sessions that sweeps skip, with the reason that Postgres gave',
    list: ({ db }) => listQuarantined(db),
  },
  'quarantine release': acting({
    takes: '<session>',
    does: 'credits a repaired session what it missed; it is swept again',
    of: (call) => wholeNumber(argument(call), 'The session'),
    asks: (session) => `Release session ${session}?`,
    run: async (tx, session) => {
      const memberId = await releaseSession(tx, session, await productNow(tx))
      return {
        says: `session ${session} is released and credited up to now`,
        memberId,
        details: { session },
        // The release ends a session whose time is over, which the inbox says.
        publishes: [changeOf(memberId, 'mining', 'wallet', 'inbox')],
      }
    },
  }),
} satisfies Record<string, OpsCommand>
