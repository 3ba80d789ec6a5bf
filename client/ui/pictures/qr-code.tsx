import { encode } from 'uqr'

/** Blank modules on each side, without which scanners do not find the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** The dark modules of a code as one SVG path: a rectangle for each run in a row. */
export function modulesPath(rows: boolean[][]): string {
  const runs: string[] = []
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      const width = x + 1 - start
      runs.push(`M${start} ${y}h${width}v1h-${width}z`)
    }
  }
  return runs.join('')
}

/** Dark on light, as scanners expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-full rounded-control bg-ink"
    >
      <path d={modulesPath(data)} className="fill-ground" />
    </svg>
  )
}
