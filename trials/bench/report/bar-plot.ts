import type { BenchTable } from '#trials/bench/result'
import { figure, medianOf } from './figures.ts'
import { COLOURS, element, INK, label, picture } from './svg.ts'

const WIDTH = 820
const LABELS = 300
const FIGURES = 90
const BAR = 18
const STEP = 30
const TOP = 44

/** Horizontal bars of the medians; a thin line spans the range of the rounds. */
export function barPlot(table: BenchTable): string {
  const { title, unit, rows } = table
  const most = Math.max(...rows.flatMap(({ values }) => values), Number.MIN_VALUE)
  const scale = (value: number) => (value / most) * (WIDTH - LABELS - FIGURES)
  const bars = rows.flatMap((row, at) => {
    const y = TOP + at * STEP
    const middle = y + BAR / 2
    const [low, high] = [Math.min(...row.values), Math.max(...row.values)].map(scale)
    const line = { x1: LABELS + (low ?? 0), x2: LABELS + (high ?? 0), y1: middle, y2: middle }
    return [
      label(LABELS - 8, middle + 5, row.label, { 'text-anchor': 'end' }),
      element('rect', {
        x: LABELS,
        y,
        width: scale(medianOf(row)),
        height: BAR,
        fill: COLOURS[0] ?? INK,
      }),
      element('line', { ...line, stroke: INK, 'stroke-width': 2 }),
      label(LABELS + (high ?? 0) + 8, middle + 5, figure(medianOf(row))),
    ]
  })
  const heading = label(0, 18, `${title}, ${unit}`, { 'font-weight': 'bold' })
  return picture(WIDTH, TOP + rows.length * STEP, title, [heading, ...bars])
}
