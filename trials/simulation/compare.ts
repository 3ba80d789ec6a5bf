import { isDeepStrictEqual } from 'node:util'
import type { Db } from '#db/postgres/statements/transaction'
import type { History } from './history.ts'
import type { ModelRow } from './model/member.ts'
import { type Token, text } from './model/rules.ts'
import { memberViews } from './product/commands.ts'
import type { World } from './world.ts'

export async function compareViews(world: World): Promise<void> {
  const { economy, observer, now } = world
  const views = await memberViews(observer, world.soundMembers)
  for (const history of world.sound) {
    for (const id of history.memberIds) {
      const [view, expected] = [views.get(id), economy.member(id).view(now)]
      if (isDeepStrictEqual(view, expected)) continue
      const [seen, right] = [JSON.stringify(view), JSON.stringify(expected)]
      history.fail(`member ${id} sees ${seen} instead of ${right}`)
    }
  }
}

type LedgerRow = {
  id: string
  userId: number
  token: Token
  amount: string
  balance: string
  at: number
}

async function ledgerRows(db: Db, memberIds: number[]): Promise<LedgerRow[]> {
  const { rows } = await db.raw(
    `select id, "userId", "tokenType" as token, amount::text, "balanceAfter"::text as balance,
       (extract(epoch from "createdAt") * 1000)::float8 as at
     from wallet_activity where "userId" = any(:memberIds) order by seq`,
    { memberIds },
  )
  return rows
}

const CREDIT = /^credit:(\d+):(\d+)(?:-(\d+))?$/

class WalletRows {
  private next = 0
  /** The id of each of the member's sessions, as its first credit names it. */
  private readonly sessionIds = new Map<number, string>()

  constructor(private readonly expected: ModelRow[]) {}

  /** Takes the rows of the model that `row` stands for; returns what is wrong with it. */
  take(row: LedgerRow): string | undefined {
    const [, sessionId, from, to = from] = CREDIT.exec(row.id) ?? []
    const count = sessionId === undefined ? 1 : Number(to) - Number(from) + 1
    const rows = this.expected.slice(this.next, this.next + count)
    this.next += count
    const last = rows.at(-1)
    if (!last || rows.length < count) return `the model has no row ${row.id}`
    const names = rows.every((expected, i) =>
      sessionId === undefined
        ? expected.fact === row.id
        : this.isCredit(expected, sessionId, Number(from) + i),
    )
    const amount = text(rows.reduce((sum, expected) => sum + expected.amount, 0n))
    const isEqual = row.amount === amount && row.balance === text(last.balance)
    if (names && isEqual && row.at === last.at) return undefined
    return `${JSON.stringify(row)} should be ${amount} of ${last.fact}, balance ${text(last.balance)}`
  }

  missing(): string | undefined {
    const row = this.expected[this.next]
    return row && `the row ${row.fact} of ${text(row.amount)} is missing`
  }

  private isCredit({ credit }: ModelRow, sessionId: string, n: number): boolean {
    if (!credit || credit.n !== n) return false
    const known = this.sessionIds.get(credit.session) ?? sessionId
    this.sessionIds.set(credit.session, known)
    return known === sessionId
  }
}

/** A rolled-up row stands for consecutive credits of one session. */
export async function compareLedgers({ economy, observer, sound, soundMembers }: World) {
  const wallets = new Map<string, { history: History; rows: WalletRows }>()
  const nameOf = (id: number, token: Token) => `${token} of member ${id}`
  for (const history of sound) {
    for (const id of history.memberIds) {
      for (const token of ['TESP', 'USDT'] as const) {
        const rows = new WalletRows(economy.member(id).ledger[token])
        wallets.set(nameOf(id, token), { history, rows })
      }
    }
  }
  for (const row of await ledgerRows(observer, soundMembers)) {
    const name = nameOf(row.userId, row.token)
    const wallet = wallets.get(name)
    if (!wallet) throw new Error(`the model has no ${name}`)
    const difference = wallet.rows.take(row)
    if (difference) wallet.history.fail(`${name}: ${difference}`)
  }
  for (const [name, { history, rows }] of wallets) {
    const missing = rows.missing()
    if (missing) history.fail(`${name}: ${missing}`)
  }
}
