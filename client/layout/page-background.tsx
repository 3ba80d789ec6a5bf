/** In units of the view box. */
const rings = [
  { radius: 330, ticks: 144, length: 8 },
  { radius: 452, ticks: 0, length: 0 },
  { radius: 466, ticks: 288, length: 6 },
  { radius: 610, ticks: 72, length: 12 },
  { radius: 760, ticks: 0, length: 0 },
  { radius: 774, ticks: 288, length: 6 },
  { radius: 940, ticks: 144, length: 8 },
]

const HOURS = 24
const HOURS_RADIUS = 540

/** Half the width of the column, in which texts stand on the ground. */
const COLUMN = 250

const hours = Array.from({ length: HOURS }, (_, hour) => {
  const angle = (hour / HOURS) * 2 * Math.PI
  return {
    text: String(hour).padStart(2, '0'),
    // Whole units, because engines differ in the last digit and the build renders this too.
    x: Math.round(Math.sin(angle) * HOURS_RADIUS),
    y: Math.round(-Math.cos(angle) * HOURS_RADIUS),
  }
}).filter(({ x }) => Math.abs(x) > COLUMN)

export function PageBackground() {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none fixed inset-y-0 right-[var(--removed-body-scroll-bar-size,0px)] left-0 -z-10 overflow-hidden"
    >
      <div className="absolute inset-0 bg-radial-[34rem_26rem_at_50%_20.75rem] from-mint-glow to-transparent md:bg-radial-[64rem_40rem_at_50%_19.5rem]" />
      <svg
        aria-hidden="true"
        viewBox="-1000 -1000 2000 2000"
        fill="none"
        className="absolute top-78 left-1/2 hidden size-500 -translate-1/2 mask-radial-from-25% mask-radial-to-75% stroke-mint md:block"
      >
        {rings.map(({ radius, ticks, length }) => (
          <g key={radius} opacity="0.22">
            <circle r={radius} strokeWidth="0.75" />
            {ticks > 0 && (
              <circle
                r={radius + length / 2 + 3}
                strokeWidth={length}
                pathLength={ticks * 100}
                strokeDasharray="4 96"
              />
            )}
          </g>
        ))}
        <g className="figure fill-mint stroke-none text-xs" opacity="0.34" textAnchor="middle">
          {hours.map(({ text, x, y }) => (
            <text key={text} x={x} y={y} dominantBaseline="central">
              {text}
            </text>
          ))}
        </g>
      </svg>
    </div>
  )
}
