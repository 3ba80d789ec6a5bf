import { useAtomValue } from 'jotai'
import Power from 'lucide-react/icons/power'
import { useTranslation } from 'react-i18next'
import { progressLabel } from '#client/commands/progress-label.ts'
import { i18n } from '#client/language/language.ts'
import { useDisabled } from '#client/ui/buttons/use-disabled.ts'
import { classNames } from '#client/ui/class-names.ts'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { Spinner } from '#client/ui/states/spinner.tsx'
import { SESSION_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import { DialRings } from './dial-rings.tsx'
import './dial.css'
import {
  miningCommandAtom,
  type RunningCommand,
  startMining,
  stopMining,
} from '#client/screens/mine/mining-commands.ts'
import { elapsedMs, intervalShare } from '#client/screens/mine/mining-view.ts'
import { useMining } from '#client/screens/mine/use-mining.ts'
import { Ripple } from './ripple.tsx'

/** The round button that starts and stops mining, inside two progress rings. */
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

/** What a click on the dial does; null while mining is unknown. */
function actionOf(status: MiningStatus | undefined) {
  if (!status) return null
  if (status.active) return 'stop'
  return status.session?.isCompleted ? 'next' : 'start'
}

function DialButton({ status }: { status: MiningStatus | undefined }) {
  const { t } = useTranslation('mine')
  const running = useAtomValue(miningCommandAtom)
  const action = actionOf(status)
  const progress = running && running.command !== 'claim' ? running : null
  const active = status?.active ?? false
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
          aria-hidden="true"
          strokeWidth={1.5}
          className={classNames(
            'size-12',
            active ? 'text-mint' : status ? 'text-ink' : 'text-muted',
          )}
        />
      )}
      {action ? (
        <span
          className={classNames(
            'figure flex min-h-7 max-w-40 items-center text-dial font-medium text-balance',
            active || progress ? 'text-muted' : 'text-mint',
          )}
        >
          {progress ? progressText(progress) : t(`dial.${action}`)}
        </span>
      ) : (
        <Skeleton className="h-7 w-28" />
      )}
    </button>
  )
}

function progressText({ command, state }: RunningCommand): string {
  const pending = command === 'start' ? 'mine:dial.starting' : 'mine:dial.stopping'
  return progressLabel(state, i18n.t(pending))
}
