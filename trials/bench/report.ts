import { median } from '#trials/bench/harness/figures/statistics'
import type { BenchRow, BenchTable, Goal, PartResult, Ratio } from '#trials/bench/result'

/** Three significant digits with thousands separators: 67,500; 1.04; 0.362. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** `412 (398–450)`: median and range of the rounds; one value stands alone. */
function spread(values: number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(figure)
  return values.length < 2 ? (low ?? '–') : `${low}–${high}`
}

function goalText(goal: Goal | undefined): string {
  if (!goal) return ''
  return 'atLeast' in goal ? `≥ ${figure(goal.atLeast)}` : `≤ ${figure(goal.atMost)}`
}

function reaches(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

const valuesOf = (table: BenchTable, label: string): number[] => {
  const row = table.rows.find((each) => each.label === label)
  if (!row) throw new Error(`${table.id} has no row "${label}"`)
  return row.values
}

/** The ratio of two medians. */
function ratioOf(table: BenchTable, { of, to }: Ratio): number {
  return median(valuesOf(table, of)) / median(valuesOf(table, to))
}

/** Median of a row; the value that its goal is compared with. */
const medianOf = ({ values }: BenchRow) => median(values)

/** One goal of a result and whether the measured median reaches it. */
export type CheckedGoal = { label: string; isReached: boolean }

const mark = (goal: Goal | undefined, value: number) =>
  goal ? (reaches(goal, value) ? 'reached' : '**missed**') : ''

/** Every goal of a result. */
export function goalsOf({ tables }: PartResult): CheckedGoal[] {
  return tables.flatMap((table) => [
    ...table.rows.flatMap(({ label, goal, values }) => {
      const value = medianOf({ label, values })
      const text = `${table.title}: ${label} ${figure(value)} ${table.unit}, ${goalText(goal)}`
      return goal ? [{ label: text, isReached: reaches(goal, value) }] : []
    }),
    ...(table.ratios ?? []).flatMap((ratio) => {
      const value = ratioOf(table, ratio)
      const text = `${table.title}: ${ratio.of} / ${ratio.to} ${figure(value)}, ${goalText(ratio.goal)}`
      return ratio.goal ? [{ label: text, isReached: reaches(ratio.goal, value) }] : []
    }),
  ])
}

function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** A table in Markdown, followed by its ratios. */
export function tableText(table: BenchTable): string {
  const { title, unit, higherIsBetter, rows, ratios = [] } = table
  const hasGoals = rows.some(({ goal }) => goal)
  const better = higherIsBetter ? 'more is better' : 'less is better'
  const head = ['', 'median', 'range', ...(hasGoals ? ['goal', ''] : [])]
  const measured = rows.map((row) => [
    row.label,
    figure(medianOf(row)),
    spread(row.values),
    ...(hasGoals ? [goalText(row.goal), mark(row.goal, medianOf(row))] : []),
  ])
  const compared = ratios.map((ratio) => {
    const value = ratioOf(table, ratio)
    return [
      `${ratio.of} / ${ratio.to}`,
      figure(value),
      goalText(ratio.goal),
      mark(ratio.goal, value),
    ]
  })
  return [
    `**${title}**, ${unit}, ${better}`,
    markdownTable(head, measured),
    ...(compared.length > 0 ? [markdownTable(['ratio', '', 'goal', ''], compared)] : []),
  ].join('\n\n')
}

/** All tables and notes of a result. */
export function resultText({ tables, notes }: PartResult): string {
  const lines = notes.map((note) => `- ${note}`).join('\n')
  return [...tables.map(tableText), ...(lines ? [lines] : [])].join('\n\n')
}
