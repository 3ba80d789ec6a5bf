/** Rings of the dial face: radius, number of ticks and their length, in units of the view box. */
const rings = [
  { radius: 330, ticks: 144, length: 8 },
  { radius: 452, ticks: 0, length: 0 },
  { radius: 466, ticks: 288, length: 6 },
  { radius: 610, ticks: 72, length: 12 },
  { radius: 760, ticks: 0, length: 0 },
]

/** Background of every page: a faint glow and, on wide screens, the face of a large dial. */
export function Ground() {
  return (
    <div aria-hidden="true" className="pointer-events-none fixed inset-0 -z-10 overflow-hidden">
      <div className="absolute inset-0 bg-radial-[34rem_26rem_at_50%_20.75rem] from-mint-glow to-transparent md:bg-radial-[64rem_40rem_at_50%_19.5rem]" />
      <svg
        aria-hidden="true"
        viewBox="-800 -800 1600 1600"
        fill="none"
        className="absolute top-78 left-1/2 hidden size-400 -translate-1/2 mask-radial-from-30% mask-radial-to-70% stroke-mint md:block"
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
      </svg>
    </div>
  )
}
