import { mailFigures } from '#db/mails'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { countQuarantined } from '#db/mining/quarantine'
import { strayLedgerRows } from '#db/postgres/schema/partitions'
import type { ShowCommand } from '#scripts/ops/command'

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
