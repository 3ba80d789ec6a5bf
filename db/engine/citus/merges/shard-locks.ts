import { LOCK_TIMEOUT } from '#db/ledger/steps'
import type { Tx } from '#db/postgres/statements/transaction'

/** Settings of the transaction hold on the nodes too, among them the longest wait for a lock. */
export async function waitBrieflyOnNodes(tx: Tx): Promise<void> {
  await tx.raw(`
    set local citus.propagate_set_commands = 'local';
    set local lock_timeout = '${LOCK_TIMEOUT}'`)
}
