import { INTERVALS } from '#rules/constants'

/** Drawing units: the dial is 288 wide. */
const SIZE = 288
const CENTRE = SIZE / 2
const OUTER = 138
const INNER = 125

/** One dash per interval of the session; an offset of half a dash centres the first at the top. */
const TICK = 0.17
const TICKS = `${TICK} ${1 - TICK}`
/** Half a dash as a share of the ring. */
const HALF_TICK = TICK / 2 / INTERVALS

const circle = { cx: CENTRE, cy: CENTRE, fill: 'none' }

/** The ticks of the outer ring, all of them or, behind a mask, those that have run. */
const ticks = {
  ...circle,
  r: OUTER,
  strokeWidth: 7,
  pathLength: INTERVALS,
  strokeDasharray: TICKS,
  strokeDashoffset: TICK / 2,
}

export type DialRingsProps = {
  /** Elapsed share of the 24 hours, 0…1. */
  session: number
  /** Elapsed share of the 20 minutes to the next credit, 0…1. */
  interval: number
  active: boolean
}

/** Outer ring: the session, one tick per interval. Inner ring: the running interval. */
export function DialRings({ session, interval, active }: DialRingsProps) {
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" className="absolute inset-0 size-full">
      <g transform={`rotate(-90 ${CENTRE} ${CENTRE})`}>
        <mask id="dial-session">
          <circle
            {...circle}
            r={OUTER}
            stroke="white"
            strokeWidth="12"
            pathLength={1}
            strokeDasharray={`${session > 0 ? session + HALF_TICK : 0} 2`}
            transform={`rotate(${-360 * HALF_TICK} ${CENTRE} ${CENTRE})`}
          />
        </mask>
        <circle {...ticks} className="stroke-line-strong" />
        <circle {...ticks} className="stroke-mint" mask="url(#dial-session)" />
        <circle {...circle} r={INNER} className="stroke-line" strokeWidth="3" />
        {active && (
          <>
            <circle
              {...circle}
              r={INNER}
              className="stroke-mint"
              strokeWidth="3"
              strokeLinecap="round"
              pathLength={1}
              strokeDasharray={`${Math.max(0.0001, interval)} 2`}
            />
            <circle
              cx={CENTRE + INNER}
              cy={CENTRE}
              r="5"
              className="fill-mint stroke-ground"
              strokeWidth="2.5"
              transform={`rotate(${360 * interval} ${CENTRE} ${CENTRE})`}
            />
          </>
        )}
      </g>
    </svg>
  )
}
