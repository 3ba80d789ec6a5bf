import { useAtomValue } from 'jotai'
import { Power } from 'lucide-react'
import { progressLabel } from '#client/commands/progress-label.ts'
import { classNames } from '#client/ui/class-names.ts'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { useDisabled } from '#client/ui/use-disabled.ts'
import { SESSION_MS } from '#rules/constants'
import { DialRings } from './dial-rings.tsx'
import './dial.css'
import {
  type MiningCommand,
  miningCommandAtom,
  startMining,
  stopMining,
} from '#client/screens/mine/mining-commands.ts'
import { elapsedMs, intervalShare } from '#client/screens/mine/mining-view.ts'
import { useMining } from '#client/screens/mine/use-mining.ts'
import { Ripple } from './ripple.tsx'

const PROGRESS_TEXTS: Record<MiningCommand, string> = {
  start: 'Starting…',
  stop: 'Stopping…',
  claim: '',
}

/** The round button that starts and stops mining, inside two progress rings. */
export function Dial() {
  const mining = useMining()
  const active = mining?.status.active ?? false
  const session = mining ? elapsedMs(mining.status, mining.now) / SESSION_MS : 0
  const interval = mining ? intervalShare(mining.status, mining.now) : 0
  const flag = active ? '' : undefined
  return (
    <div className="relative isolate mx-auto aspect-square w-full max-w-72">
      <div data-active={flag} className="dial-glow pointer-events-none absolute -inset-16 -z-10" />
      <DialRings session={session} interval={interval} active={active} />
      {active && (
        <div className="dial-comet pointer-events-none absolute inset-0">
          <div className="dial-highlight absolute inset-0" />
        </div>
      )}
      <Ripple rewardId={mining?.status.rewardId ?? null} />
      <DialButton active={active} loaded={mining !== null} />
    </div>
  )
}

function DialButton({ active, loaded }: { active: boolean; loaded: boolean }) {
  const running = useAtomValue(miningCommandAtom)
  const toggling = running !== null && running.command !== 'claim'
  const progressText = toggling
    ? progressLabel(running.state, PROGRESS_TEXTS[running.command])
    : null
  // A click during another command would be ignored, so the button is disabled.
  const attributes = useDisabled(running !== null || !loaded, {
    onClick: active ? stopMining : startMining,
  })
  return (
    <button
      type="button"
      aria-label={loaded ? undefined : 'Loading mining status'}
      aria-busy={toggling || undefined}
      data-active={active ? '' : undefined}
      className={classNames(
        'dial-face absolute inset-8 flex flex-col items-center justify-center gap-1 rounded-full border transition active:scale-98',
        'hover:brightness-115 off:scale-100 off:cursor-progress off:brightness-100',
        active ? 'border-mint-line' : 'border-line-strong',
      )}
      {...attributes}
    >
      {toggling ? (
        <Spinner className="size-12 text-mint" />
      ) : (
        <Power
          aria-hidden="true"
          strokeWidth={1.5}
          className={classNames(
            'size-12',
            active ? 'text-mint' : loaded ? 'text-ink' : 'text-muted',
          )}
        />
      )}
      <DialText active={active} loaded={loaded} progressText={progressText} />
    </button>
  )
}

type DialTextProps = { active: boolean; loaded: boolean; progressText: string | null }

/** The state of mining, and what a click does or is doing. */
function DialText({ active, loaded, progressText }: DialTextProps) {
  if (!loaded) {
    return (
      <>
        <Skeleton className="mt-3 h-6 w-20" />
        <Skeleton className="mt-2 h-4 w-24" />
      </>
    )
  }
  const next = active ? 'Stop mining' : 'Start mining'
  return (
    <>
      <span className="figure mt-2 text-lg font-medium">{active ? 'Mining' : 'Idle'}</span>
      <span className={classNames('text-sm', active || progressText ? 'text-muted' : 'text-mint')}>
        {progressText ?? next}
      </span>
    </>
  )
}
