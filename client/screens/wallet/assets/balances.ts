import type { Token } from '#client/format/amounts.ts'
import { isPositive, type Money } from '#rules/money/money'
import type { Wallet } from '#rules/snapshots'

export type Balances = Record<Token, Money>

/** The two balances: TESP is the first entry of its list, 0 if the list is empty. */
export function balancesOf({ tesp, usdtBalance }: Wallet): Balances {
  return { TESP: tesp[0]?.balance ?? '0', USDT: usdtBalance }
}

/** The assets that are not zero, in the order of the screen. */
export function heldAssets(balances: Balances): { token: Token; amount: Money }[] {
  const tokens: Token[] = ['TESP', 'USDT']
  return tokens
    .map((token) => ({ token, amount: balances[token] }))
    .filter(({ amount }) => isPositive(amount))
}
