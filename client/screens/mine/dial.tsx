import { useAtomValue } from 'jotai'
import Power from 'lucide-react/icons/power'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { progressLabel } from '#client/commands/commands.ts'
import { useDisabled } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { Skeleton, Spinner } from '#client/ui/loading.tsx'
import { INTERVALS, SESSION_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import './dial.css'
import { miningCommandAtom, startMining, stopMining } from './mining-commands.ts'
import { elapsedMs, intervalShare, useMining } from './mining-view.ts'

export function Dial() {
  const mining = useMining()
  const active = mining?.status.active ?? false
  const session = mining ? elapsedMs(mining.status, mining.now) / SESSION_MS : 0
  const interval = mining ? intervalShare(mining.status, mining.now) : 0
  const flag = active ? '' : undefined
  return (
    <div className="relative isolate mx-auto aspect-square w-full max-w-68">
      <div data-active={flag} className="dial-glow pointer-events-none absolute -inset-16 -z-10" />
      <DialRings session={session} interval={interval} active={active} />
      {active && (
        <div className="dial-comet pointer-events-none absolute inset-0">
          <div className="dial-highlight absolute inset-0" />
        </div>
      )}
      <Ripple rewardId={mining?.status.rewardId ?? null} />
      <DialButton status={mining?.status} />
    </div>
  )
}

function DialButton({ status }: { status: MiningStatus | undefined }) {
  const { t } = useTranslation('mine')
  const running = useAtomValue(miningCommandAtom)
  const progress = running && running.command !== 'claim' ? running : null
  const active = status?.active ?? false
  const action = active ? 'stop' : status?.session?.isCompleted ? 'next' : 'start'
  const pending = t(progress?.command === 'start' ? 'dial.starting' : 'dial.stopping')
  // A click during another command would be ignored, so the button is disabled.
  const attributes = useDisabled(running !== null || !status, {
    onClick: active ? stopMining : startMining,
  })
  return (
    <button
      type="button"
      aria-label={status ? undefined : t('dial.loading')}
      aria-busy={progress ? true : undefined}
      data-active={active ? '' : undefined}
      className={classNames(
        'dial-face absolute inset-8 flex flex-col items-center justify-center gap-3 rounded-full border transition active:scale-98',
        'hover:brightness-115 off:scale-100 off:cursor-progress off:brightness-100',
        active ? 'border-mint-line' : 'border-line-strong',
      )}
      {...attributes}
    >
      {progress ? (
        <Spinner className="size-12 text-mint" />
      ) : (
        <Power
          strokeWidth={1.5}
          className={classNames(
            'size-12',
            active ? 'text-mint' : status ? 'text-ink' : 'text-muted',
          )}
        />
      )}
      {status ? (
        <span
          className={classNames(
            'figure flex min-h-7 max-w-40 items-center text-dial font-medium text-balance',
            progress ? 'text-muted' : active ? 'text-ink' : 'text-mint',
          )}
        >
          {progress ? progressLabel(progress.state, pending) : t(`dial.${action}`)}
        </span>
      ) : (
        <Skeleton className="h-7 w-28" />
      )}
    </button>
  )
}

/** Radii in drawing units: the dial is 288 wide, and its centre is 0. */
const OUTER = 138
const INNER = 125

/** One dash per interval of the session; an offset of half a dash centres the first at the top. */
const TICK = 0.17
/** Half a dash as a share of the ring. */
const HALF_TICK = TICK / 2 / INTERVALS

const ticks = {
  r: OUTER,
  strokeWidth: 7,
  pathLength: INTERVALS,
  strokeDasharray: `${TICK} ${1 - TICK}`,
  strokeDashoffset: TICK / 2,
}

/** `session` and `interval` are elapsed shares, 0…1. */
type DialRingsProps = {
  session: number
  interval: number
  active: boolean
}

/** Outer ring: the session, one tick per interval. Inner ring: the running interval. */
function DialRings({ session, interval, active }: DialRingsProps) {
  return (
    <svg viewBox="-144 -144 288 288" aria-hidden="true" className="absolute inset-0 size-full">
      <g fill="none" transform="rotate(-90)">
        <mask id="dial-session">
          <circle
            r={OUTER}
            stroke="white"
            strokeWidth="12"
            pathLength={1}
            strokeDasharray={`${session > 0 ? session + HALF_TICK : 0} 2`}
            transform={`rotate(${-360 * HALF_TICK})`}
          />
        </mask>
        <circle {...ticks} className="stroke-line-strong" />
        <circle {...ticks} className="stroke-mint" mask="url(#dial-session)" />
        <circle r={INNER} className="stroke-line" strokeWidth="3" />
        {active && (
          <>
            <circle
              r={INNER}
              className="stroke-mint"
              strokeWidth="3"
              strokeLinecap="round"
              pathLength={1}
              strokeDasharray={`${Math.max(0.0001, interval)} 2`}
            />
            <circle
              cx={INNER}
              r="5"
              className="fill-mint stroke-ground"
              strokeWidth="2.5"
              transform={`rotate(${360 * interval})`}
            />
          </>
        )}
      </g>
    </svg>
  )
}

/** A ripple through the rings for each credit that arrives while the dial is mounted. */
function Ripple({ rewardId }: { rewardId: string | null }) {
  const [first] = useState(rewardId)
  if (rewardId === null || rewardId === first) return null
  return (
    <div key={rewardId} className="pointer-events-none absolute inset-0" aria-hidden="true">
      <div className="dial-ripple absolute inset-0 rounded-full" />
      <div className="dial-ripple absolute inset-0 rounded-full" />
    </div>
  )
}
