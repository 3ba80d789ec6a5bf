import { readSeals } from '#db/ledger/seals/chain'
import { wholeNumber } from '#scripts/ops/arguments'
import type { ListCommand } from '#scripts/ops/command'

export const sealsList: ListCommand = {
  takes: '[<after>]',
  does: 'the seals of the ledger behind a number, 1,000 at most; with --json as a mirror keeps them',
  list: ({ db, args: [after] }) => readSeals(db, after ? wholeNumber(after, '<after>') : 0),
}
