import { type Html, html } from './html.ts'

const WIDTH = 240
const HEIGHT = 48
/** Room for the width of the line. */
const EDGE = 3

type Point = { x: number; y: number }

/** A day that nothing counted is a gap, not a zero. */
function runsOf(values: (number | null)[], top: number): Point[][] {
  const runs: Point[][] = [[]]
  values.forEach((value, at) => {
    if (value === null) {
      runs.push([])
      return
    }
    const x = EDGE + (at * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1)
    const y = HEIGHT - EDGE - (value * (HEIGHT - 2 * EDGE)) / top
    runs.at(-1)?.push({ x, y })
  })
  return runs.filter((run) => run.length > 0)
}

const round = (value: number) => Math.round(value * 10) / 10
const pathOf = (run: Point[]) => `M${run.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}`

/** A value alone is a dot. Drawn with attributes, because the policy of the pages forbids inline styles. */
export function sparkline(values: (number | null)[], label: string): Html | undefined {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return undefined
  const runs = runsOf(values, Math.max(...known, Number.MIN_VALUE))
  const last = runs.at(-1)?.at(-1)
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
${runs.map((run) => html`<path d="${pathOf(run)}"/>`)}
${last && html`<path class="last" d="M${round(last.x)} ${round(last.y)}h0"/>`}</svg>`
}
