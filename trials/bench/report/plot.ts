import type { BenchTable } from '#trials/bench/result'
import { barPlot } from './bar-plot.ts'
import { linePlot } from './line-plot.ts'

export const hasPlot = ({ plot }: BenchTable) => plot?.kind !== 'none'

/** The plot of a table as SVG, or undefined for a table without one. */
export function plotOf(table: BenchTable): string | undefined {
  if (!hasPlot(table)) return undefined
  return table.plot?.kind === 'lines' ? linePlot(table, table.plot.xLabel) : barPlot(table)
}
