import { median } from '#trials/bench/harness/figures/statistics'
import type { BenchRow, BenchTable, Goal, Ratio } from '#trials/bench/result'

/** Three significant digits with thousands separators: 67,500; 1.04; 0.362. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** `412 (398–450)`: median and range of the rounds; one value stands alone. */
export function spread(values: number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(figure)
  return values.length < 2 ? (low ?? '–') : `${low}–${high}`
}

export function goalText(goal: Goal | undefined): string {
  if (!goal) return ''
  return 'atLeast' in goal ? `≥ ${figure(goal.atLeast)}` : `≤ ${figure(goal.atMost)}`
}

export function reaches(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

const valuesOf = (table: BenchTable, label: string): number[] => {
  const row = table.rows.find((each) => each.label === label)
  if (!row) throw new Error(`${table.id} has no row "${label}"`)
  return row.values
}

/** The ratio of two medians. */
export function ratioOf(table: BenchTable, { of, to }: Ratio): number {
  return median(valuesOf(table, of)) / median(valuesOf(table, to))
}

/** Median of a row; the value that its goal is compared with. */
export const medianOf = ({ values }: BenchRow) => median(values)
