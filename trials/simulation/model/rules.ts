/** docs/rules.md, written a second time without imports of the product, so that a wrong figure or formula differs. */

/** Milliseconds of product time. */
export const INTERVAL = 20 * 60_000
export const SESSION = 24 * 60 * 60_000
export const COOLDOWN = 20 * 60_000
export const INTERVALS = 72

/** Amounts are whole units of 10⁻⁸. */
const ONE = 100_000_000n
/** What 0.1 TESP an hour and 5 % of it for each team member are. */
const BASE_RATE = 10_000_000n
const RATE_PER_MEMBER = 500_000n

/** Team size, TESP, and percent of USDT from then on. */
export const MILESTONES = [
  { members: 10, tesp: 5n * ONE, percent: 2n },
  { members: 25, tesp: 15n * ONE, percent: 3n },
  { members: 50, tesp: 25n * ONE, percent: 5n },
] as const

/** TESP of each task, and how often it pays a UTC day; once for good without a limit. */
export const TASKS: Record<string, { reward: bigint; dailyLimit?: number }> = {
  follow_twitter: { reward: 2n * ONE },
  join_telegram: { reward: ONE },
  read_twice: { reward: ONE / 4n, dailyLimit: 2 },
}

export type Token = 'TESP' | 'USDT'
/** Units, or units an hour. */
export type Amounts = Record<Token, bigint>

export const nothing = (): Amounts => ({ TESP: 0n, USDT: 0n })

/** Earnings an hour; `level` is the number of paid milestones. */
export function ratesOf(teamSize: number, level: number): Amounts {
  const tesp = BASE_RATE + RATE_PER_MEMBER * BigInt(teamSize)
  const percent = MILESTONES[level - 1]?.percent ?? 0n
  return { TESP: tesp, USDT: (tesp * percent) / 100n }
}

/** Units as the product writes them: `0.03333333`. */
export function text(units: bigint): string {
  const digits = String(units).padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}
