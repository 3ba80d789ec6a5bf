import { lockMember } from '#db/members/execute-once'
import { stopMining } from '#db/mining/mining'
import { listQuarantined, releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/connection/product-clock'
import { idOfMember, sessionsOf } from '#operators/actions/members'
import { argument, changeOf, limitOf, type OpsCommand, onMember, wholeNumber } from './command.ts'

export const sessionCommands = {
  'sessions show': {
    takes: '<member>',
    options: ['[--limit <n>]'],
    does: 'the newest mining sessions of a member, 20 without --limit',
    list: async (call) => {
      const memberId = await idOfMember(call.db, argument(call))
      return sessionsOf(call.db, memberId, limitOf(call, 20))
    },
  },
  'sessions end': onMember({
    does: 'stops the running mining session as the member could; the rest becomes pending',
    asks: (who) => `Stop the mining session of ${who}?`,
    run: async (tx, memberId) => {
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
  'quarantine release': {
    takes: '<session>',
    does: 'credits a repaired session what it missed; it is swept again',
    act: async (call) => {
      const sessionId = wholeNumber(argument(call), 'The session')
      return {
        asks: `Release session ${sessionId}?`,
        run: async (tx) => {
          const memberId = await releaseSession(tx, sessionId, await productNow(tx))
          return {
            says: `session ${sessionId} is released and credited up to now`,
            memberId,
            details: { session: sessionId },
            // The release ends a session whose time is over, which the inbox says.
            publishes: [changeOf(memberId, 'mining', 'wallet', 'inbox')],
          }
        },
      }
    },
  },
} satisfies Record<string, OpsCommand>
