import { claimRewards, startMining, stopMining } from '#db/mining'
import { readSnapshot } from '#db/snapshots'
import { command, signedIn } from '#gateway/route'

/** The four mining calls. */

export const status = signedIn<'GET /api/mining/status'>(async ({ services, memberId }) => {
  const { mining } = await readSnapshot(services.db, memberId)
  return mining
})

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
