import { useAtomValue } from 'jotai'
import { Power } from 'lucide-react'
import { classNames } from '#client/ui/class-names.ts'
import { Spinner } from '#client/ui/spinner.tsx'
import { SESSION_MS } from '#rules/constants'
import { DialRings } from './dial-rings.tsx'
import './dial.css'
import { type MiningAction, miningActionAtom, startMining, stopMining } from './mining-actions.ts'
import { elapsedMs, intervalShare } from './mining-view.ts'
import { Ripple } from './ripple.tsx'
import { useMining } from './use-mining.ts'

const DOING: Record<MiningAction, string> = {
  start: 'Starting…',
  stop: 'Stopping…',
  claim: '',
}

/** The product's face: the round button that starts and stops, and the two rings around it. */
export function Dial() {
  const mining = useMining()
  const active = mining?.status.active ?? false
  const session = mining ? elapsedMs(mining.status, mining.now) / SESSION_MS : 0
  const interval = mining ? intervalShare(mining.status, mining.now) : 0
  const flag = active ? '' : undefined
  return (
    <div className="relative isolate mx-auto size-72">
      <div data-active={flag} className="dial-glow pointer-events-none absolute -inset-16 -z-10" />
      {active && (
        <div className="dial-highlight pointer-events-none absolute inset-0.5 rounded-full" />
      )}
      <DialRings session={session} interval={interval} active={active} />
      <Ripple rewardId={mining?.status.rewardId ?? null} />
      <DialButton active={active} known={mining !== null} />
    </div>
  )
}

function DialButton({ active, known }: { active: boolean; known: boolean }) {
  const running = useAtomValue(miningActionAtom)
  const toggling = running !== null && running.action !== 'claim'
  return (
    <button
      type="button"
      disabled={toggling || !known}
      aria-busy={toggling || undefined}
      data-active={active ? '' : undefined}
      onClick={active ? stopMining : startMining}
      className={classNames(
        'dial-face absolute inset-8 flex flex-col items-center justify-center gap-1 rounded-full border transition active:scale-98',
        'hover:brightness-115 disabled:scale-100 disabled:cursor-progress disabled:brightness-100',
        active ? 'border-mint-line' : 'border-line-strong',
      )}
    >
      {toggling ? (
        <Spinner className="size-12 text-mint" />
      ) : (
        <Power
          aria-hidden="true"
          strokeWidth={1.5}
          className={classNames('size-12', active ? 'text-mint' : 'text-ink')}
        />
      )}
      <span className="figure mt-2 text-lg font-medium">{active ? 'Mining' : 'Idle'}</span>
      <span className="text-sm text-muted">
        {running && toggling
          ? running.retrying
            ? 'Retrying…'
            : DOING[running.action]
          : active
            ? 'Stop mining'
            : 'Start mining'}
      </span>
    </button>
  )
}
