import { listQuarantined, releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/connection/product-clock'
import { wholeNumber } from '#operators/ops/arguments'
import type { ActCommand, ListCommand } from '#operators/ops/command'
import { publishChange } from '#operators/ops/redis'

export const quarantineList: ListCommand = {
  does: 'sessions that sweeps skip, with the reason that Postgres gave',
  list: ({ db }) => listQuarantined(db),
}

export const quarantineRelease: ActCommand = {
  takes: '<session>',
  does: 'credits a repaired session what it missed; it is swept again',
  act: async (call) => {
    const sessionId = wholeNumber(call.args[0], 'The session')
    return {
      asks: `Release session ${sessionId}?`,
      run: async (tx) => {
        const memberId = await releaseSession(tx, sessionId, await productNow(tx))
        return {
          says: `session ${sessionId} is released and credited up to now`,
          memberId,
          details: { session: sessionId },
          after: () =>
            publishChange(call, {
              kind: 'members',
              memberIds: [memberId],
              topics: ['mining', 'wallet'],
            }),
        }
      },
    }
  },
}
