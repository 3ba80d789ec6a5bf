import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { amountText, balanceText } from '#client/format/amounts.ts'
import type { Db } from '#db/postgres/statements/transaction'
import { asset, figure, goTo } from './actions.ts'

/** Upper bound, ms, between the return of the network and a screen that equals the database. */
const MATCH_MS = 60_000

type Figures = Record<string, string>

async function storedFigures(
  db: Db,
  username: string,
): Promise<{ Mine: Figures; Wallet: Figures }> {
  const row = await db('users as u')
    .join('wallets as w', 'w.userId', 'u.id')
    .join('mining_stats as m', 'm.userId', 'u.id')
    .where('u.username', username)
    .first(
      'w.balance',
      'w.usdtBalance',
      'm.pendingRewards',
      'm.pendingUsdtRewards',
      db.raw(
        'exists (select from mining_sessions s where s."userId" = u.id and s.active) as active',
      ),
    )
  return {
    Mine: {
      state: row.active ? 'Mining Active' : 'Mining Inactive',
      'pending TESP': amountText(row.pendingRewards, 'TESP'),
      'pending USDT': amountText(row.pendingUsdtRewards, 'USDT'),
    },
    Wallet: {
      TESP: `TESP${balanceText(row.balance, 'TESP')}`,
      USDT: `USDT$${balanceText(row.usdtBalance, 'USDT')}`,
    },
  }
}

const SHOWN = {
  async Mine(page: Page): Promise<Figures> {
    const state = page.getByRole('status').filter({ hasText: 'Mining ' })
    return {
      state: (await state.textContent()) ?? '',
      'pending TESP': (await figure(page, 'TESP').textContent()) ?? '',
      'pending USDT': (await figure(page, 'USDT').textContent()) ?? '',
    }
  },
  async Wallet(page: Page): Promise<Figures> {
    return {
      TESP: (await asset(page, 'TESP').textContent()) ?? '',
      USDT: (await asset(page, 'USDT').textContent()) ?? '',
    }
  },
}

/**
 * Waits until the open screen, Mine or Wallet, equals the database, then checks the other one.
 * @returns real ms until the open screen matched
 */
export async function expectMatchesDatabase(page: Page, db: Db, username: string): Promise<number> {
  const [open, other] = page.url().endsWith('/mine')
    ? (['Mine', 'Wallet'] as const)
    : (['Wallet', 'Mine'] as const)
  const expectScreen = (screen: 'Mine' | 'Wallet') =>
    expect
      .poll(
        async () => {
          const stored = (await storedFigures(db, username))[screen]
          const shown = await SHOWN[screen](page)
          const wrong = Object.keys(stored).filter((name) => shown[name] !== stored[name])
          return wrong.map((name) => `${name} shows ${shown[name]} for ${stored[name]}`)
        },
        { timeout: MATCH_MS, interval: 50 },
      )
      .toEqual([])
  const since = Date.now()
  await expectScreen(open)
  const took = Date.now() - since
  await goTo(page, other)
  await expectScreen(other)
  await goTo(page, open)
  return took
}
