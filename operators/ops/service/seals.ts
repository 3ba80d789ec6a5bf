import { readSeals } from '#db/ledger/seals/chain'
import { wholeNumber } from '#operators/ops/arguments'
import type { ListCommand } from '#operators/ops/command'

export const sealsList: ListCommand = {
  takes: '[<after>]',
  does: 'the seals of the ledger behind a number, 1,000 at most; with --json as a mirror keeps them',
  list: ({ db, args: [after] }) => readSeals(db, after ? wholeNumber(after, '<after>') : 0),
}
