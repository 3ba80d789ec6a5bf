import type { BenchRow, BenchTable } from '#trials/bench/result'
import { figure, medianOf } from './figures.ts'
import { COLOURS, element, INK, label, picture } from './svg.ts'

const WIDTH = 820
const HEIGHT = 340
const BOX = { left: 70, right: 600, top: 50, bottom: 290 }
const GRID_LINES = 4

function pointsOf(rows: BenchRow[]) {
  return rows.map((row) => ({ x: row.x ?? 0, y: medianOf(row) })).sort((a, b) => a.x - b.x)
}

/** One line a series over `x`, both axes linear and from zero. */
export function linePlot(table: BenchTable, xLabel: string): string {
  const { title, unit, rows } = table
  const series = [...new Set(rows.map((row) => row.series ?? row.label))]
  const most = { x: Math.max(...rows.map(({ x = 0 }) => x)), y: Math.max(...rows.map(medianOf)) }
  const place = ({ x, y }: { x: number; y: number }) => ({
    x: BOX.left + (x / (most.x || 1)) * (BOX.right - BOX.left),
    y: BOX.bottom - (y / (most.y || 1)) * (BOX.bottom - BOX.top),
  })
  const grid = Array.from({ length: GRID_LINES + 1 }, (_, at) => {
    const value = (most.y * at) / GRID_LINES
    const { y } = place({ x: 0, y: value })
    const line = { x1: BOX.left, x2: BOX.right, y1: y, y2: y, stroke: INK, 'stroke-opacity': '0.3' }
    return [
      element('line', line),
      label(BOX.left - 8, y + 5, figure(value), { 'text-anchor': 'end' }),
    ]
  })
  const ticks = [...new Set(rows.map(({ x = 0 }) => x))].map((x) =>
    label(place({ x, y: 0 }).x, BOX.bottom + 20, x.toLocaleString('en'), {
      'text-anchor': 'middle',
    }),
  )
  const lines = series.flatMap((name, at) => {
    const colour = COLOURS[at % COLOURS.length] ?? INK
    const points = pointsOf(rows.filter((row) => (row.series ?? row.label) === name)).map(place)
    const path = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
    return [
      element('polyline', { points: path, fill: 'none', stroke: colour, 'stroke-width': 2 }),
      ...points.map(({ x, y }) => element('circle', { cx: x, cy: y, r: 3, fill: colour })),
      label(BOX.right + 20, BOX.top + 10 + at * 22, name, { fill: colour }),
    ]
  })
  return picture(WIDTH, HEIGHT, title, [
    label(0, 18, `${title}, ${unit}`, { 'font-weight': 'bold' }),
    ...grid.flat(),
    ...ticks,
    label(BOX.right, BOX.bottom + 40, xLabel, { 'text-anchor': 'end' }),
    ...lines,
  ])
}
