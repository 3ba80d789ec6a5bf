import { median, quantile } from './measure.ts'
import type { BenchServers } from './servers.ts'

export type BenchOptions = {
  rounds: number
  /** Small populations and short rounds: shows that a part runs; its figures are not stored. */
  quick: boolean
  /** Folder of another checkout to compare with, for the parts `reads` and `load`. */
  compare?: string | undefined
  log(line: string): void
}

/** In the unit of its table or ratio. */
export type Goal = { atLeast: number } | { atMost: number }

export type BenchRow = {
  label: string
  values: number[]
  goal?: Goal
}

export const rowsOf = (measured: Record<string, number[]>): BenchRow[] =>
  Object.entries(measured).map(([label, values]) => ({ label, values }))

export const quantileRows = (rounds: number[][], goal: Goal): BenchRow[] => [
  { label: 'p50', values: rounds.map((times) => quantile(times, 0.5)) },
  { label: 'p99', values: rounds.map((times) => quantile(times, 0.99)), goal },
]

/** The median of one row divided by the median of another row of the same table. */
export type Ratio = { of: string; to: string; goal?: Goal }

export type BenchTable = {
  title: string
  /** `requests/s`, `ms`, `MB`. Less is better, except for rates and for points of 100. */
  unit: string
  rows: BenchRow[]
  ratios?: Ratio[]
}

export type PartResult = {
  title: string
  tables: BenchTable[]
  notes: string[]
}

export type Part = (servers: BenchServers, options: BenchOptions) => Promise<PartResult>

/** Three significant digits with thousands separators: 67,500; 1.04; 0.362. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

function spread(values: number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(figure)
  return values.length < 2 ? (low ?? '–') : `${low}–${high}`
}

function goalCells(goal: Goal | undefined, value: number): string[] {
  if (!goal) return ['', '']
  const isReached = 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
  const text = 'atLeast' in goal ? `≥ ${figure(goal.atLeast)}` : `≤ ${figure(goal.atMost)}`
  return [text, isReached ? 'reached' : '**missed**']
}

function medianOf({ title, rows }: BenchTable, label: string): number {
  const row = rows.find((each) => each.label === label)
  if (!row) throw new Error(`${title} has no row "${label}"`)
  return median(row.values)
}

function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

function tableText(table: BenchTable): string {
  const { title, unit, rows, ratios = [] } = table
  const hasGoals = rows.some(({ goal }) => goal)
  const better = /\/s$|^of 100$/.test(unit) ? 'more is better' : 'less is better'
  const head = ['', 'median', 'range', ...(hasGoals ? ['goal', ''] : [])]
  const measured = rows.map((row) => [
    row.label,
    figure(median(row.values)),
    spread(row.values),
    ...(hasGoals ? goalCells(row.goal, median(row.values)) : []),
  ])
  const compared = ratios.map(({ of, to, goal }) => {
    const value = medianOf(table, of) / medianOf(table, to)
    return [`${of} / ${to}`, figure(value), ...goalCells(goal, value)]
  })
  return [
    `**${title}**, ${unit}, ${better}`,
    markdownTable(head, measured),
    ...(compared.length > 0 ? [markdownTable(['ratio', '', 'goal', ''], compared)] : []),
  ].join('\n\n')
}

export function resultText({ tables, notes }: PartResult): string {
  const lines = notes.map((note) => `- ${note}`).join('\n')
  return [...tables.map(tableText), ...(lines ? [lines] : [])].join('\n\n')
}
