import { readNetwork } from '#db/ledger/network-counters'
import { claimRewards, lockClaim, lockStarter, startMining, stopMining } from '#db/mining/mining'
import { lockActiveSession } from '#db/mining/sessions'
import { command, routesOf, signedIn } from '#gateway/http/route'
import { polled } from '#gateway/not-modified/etag'
import { changeOf } from '#runtime/pubsub'

export const miningRoutes = {
  ...routesOf('mining', {
    'GET /api/mining/status': {
      summary: 'Reads the mining status.',
      etag: true,
      handle: polled('/api/mining/status'),
    },
    'POST /api/mining/start': {
      summary: 'Starts a mining session of 24 hours.',
      idempotent: true,
      errors: ['mining_active', 'session_quarantined'],
      handle: command(
        ['mining', 'inbox'],
        ({ tx, memberId, locked, alsoChanged }) =>
          startMining(tx, memberId, locked, () => alsoChanged(changeOf(memberId, 'wallet'))),
        { lock: lockStarter, batch: 'start' },
      ),
    },
    'POST /api/mining/stop': {
      summary: 'Stops the running session; what it earned since the last credit becomes pending.',
      idempotent: true,
      errors: ['mining_inactive', 'session_quarantined'],
      handle: command(
        ['mining', 'wallet', 'inbox'],
        ({ tx, memberId, locked }) => stopMining(tx, memberId, locked),
        { lock: lockActiveSession, batch: 'stop' },
      ),
    },
    'POST /api/mining/claim': {
      summary: 'Moves the pending rewards into the wallet.',
      idempotent: true,
      errors: ['nothing_to_claim', 'claim_cooldown'],
      handle: command(
        ['mining', 'wallet'],
        ({ tx, memberId, locked }) => claimRewards(tx, memberId, locked),
        { lock: lockClaim },
      ),
    },
  }),
  ...routesOf('network', {
    'GET /api/network': {
      summary: 'Reads the figures of the network.',
      handle: signedIn(({ services }) => readNetwork(services.db)),
    },
  }),
}
