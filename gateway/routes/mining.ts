import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { readSnapshot } from '#db/mining/snapshots'
import { isFresh, miningEtag } from '#gateway/http/etag'
import { command, signedInSnapshot } from '#gateway/http/route'

/** The mining status and the three mining commands. */

export const status = signedInSnapshot<'GET /api/mining/status'>((call, { mining }) =>
  isFresh(call.ctx, miningEtag(mining)) ? call.reply.notModified() : mining,
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
