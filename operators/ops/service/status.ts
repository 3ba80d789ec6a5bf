import { mailFigures } from '#db/mails'
import { countQuarantined } from '#db/mining/quarantine'
import { creditLagSeconds } from '#db/mining/sweep/credit-lag'
import { strayLedgerRows } from '#db/postgres/schema/partitions'
import type { ShowCommand } from '#operators/ops/command'

export const status: ShowCommand = {
  does: 'credit lag, quarantined sessions, stray ledger rows, mails',
  show: async ({ db }) => {
    const mails = await mailFigures(db)
    return {
      creditLagSeconds: Number((await creditLagSeconds(db)).toFixed(1)),
      quarantinedSessions: await countQuarantined(db),
      strayLedgerRows: await strayLedgerRows(db),
      mailsWaiting: mails.waiting,
      mailsFailed: mails.failed,
    }
  },
}
