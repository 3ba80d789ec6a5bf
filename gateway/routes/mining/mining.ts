import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { readMinedDays } from '#db/wallet/mined-days'
import { command, signedIn } from '#gateway/http/route'
import { miningEtag, polled } from '#gateway/not-modified/etag'

/** The mining status, the last days and the three mining commands. */

export const status = polled('/api/mining/status', ({ mining }) => mining, miningEtag)

export const days = signedIn<'GET /api/mining/days'>(({ services, memberId }) =>
  readMinedDays(services.db, memberId),
)

export const start = command<'POST /api/mining/start'>(['mining'], ({ tx, memberId }) =>
  startMining(tx, memberId),
)

export const stop = command<'POST /api/mining/stop'>(['mining', 'wallet'], ({ tx, memberId }) =>
  stopMining(tx, memberId),
)

export const claim = command<'POST /api/mining/claim'>(['mining', 'wallet'], ({ tx, memberId }) =>
  claimRewards(tx, memberId),
)
