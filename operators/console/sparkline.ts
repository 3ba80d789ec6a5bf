import { type Html, html } from './html.ts'

const WIDTH = 240
const HEIGHT = 48
/** Room for the width of the line. */
const EDGE = 3

const round = (value: number) => Math.round(value * 10) / 10

/** The last value is a dot. Drawn with attributes, because the policy of the pages forbids inline styles. */
export function sparkline(values: (number | null)[], label: string): Html | undefined {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return undefined
  const top = Math.max(...known, Number.MIN_VALUE)
  const points = values.map((value, at) => {
    if (value === null) return undefined
    const x = EDGE + (at * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1)
    const y = HEIGHT - EDGE - (value * (HEIGHT - 2 * EDGE)) / top
    return `${round(x)} ${round(y)}`
  })
  // A day that nothing counted is a gap, not a zero.
  const line = points.map((point, at) => point && `${points[at - 1] ? 'L' : 'M'}${point}`)
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
<path d="${line}"/>
<path class="last" d="M${points.findLast(Boolean)}h0"/></svg>`
}
