import { rollupStatus } from '#db/ledger/retention/rollup-status'
import type { ListCommand } from '#operators/ops/command'

export const retentionStatus: ListCommand = {
  does: 'how far old days of the ledger are rolled up, and their size before and after',
  list: ({ db }) => rollupStatus(db),
}
