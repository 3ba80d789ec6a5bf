import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { readSnapshot } from '#db/mining/snapshots'
import { readMinedDays } from '#db/wallet/mined-days'
import { miningEtag } from '#gateway/http/etag/etag'
import { polled } from '#gateway/http/etag/polled'
import { command, signedIn } from '#gateway/http/route'

/** The mining status, the last days and the three mining commands. */

export const status = polled('/api/mining/status', ({ mining }) => mining, miningEtag)

export const days = signedIn<'GET /api/mining/days'>(({ services, memberId }) =>
  readMinedDays(services.db, memberId),
)

export const start = command<'POST /api/mining/start'>(['mining'], async ({ tx, memberId }) => {
  await startMining(tx, memberId)
  return (await readSnapshot(tx, memberId)).mining
})

export const stop = command<'POST /api/mining/stop'>(
  ['mining', 'wallet'],
  async ({ tx, memberId }) => {
    await stopMining(tx, memberId)
    return (await readSnapshot(tx, memberId)).mining
  },
)

export const claim = command<'POST /api/mining/claim'>(['mining', 'wallet'], ({ tx, memberId }) =>
  claimRewards(tx, memberId),
)
