import { useAtomValue } from 'jotai'
import Bird from 'lucide-react/icons/bird'
import Check from 'lucide-react/icons/check'
import CirclePlay from 'lucide-react/icons/circle-play'
import ExternalLink from 'lucide-react/icons/external-link'
import Globe from 'lucide-react/icons/globe'
import Send from 'lucide-react/icons/send'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { commandsAtom, progressLabel, runningCommand } from '#client/commands/commands.ts'
import { memberIdAtom } from '#client/data/member-data.ts'
import { taskTexts } from '#client/data/tasks.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { grouped } from '#client/format/amounts.ts'
import { dateText, timeText } from '#client/format/dates.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button, type ButtonProps } from '#client/ui/buttons/button.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import { TASK_CODE_MAX } from '#rules/constants'
import { rememberVisit, visitedTasks } from './completed-tasks.ts'
import { claimTask, taskMutexKey } from './task-commands.ts'
import type { MemberTask } from './task-list.ts'

const TelegramClaim = lazyComponent(() => import('./telegram-claim.tsx'), 'TelegramClaim')

const actionsLook =
  'mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3 *:px-2!'

const icons = { twitter: Bird, telegram: Send, youtube: CirclePlay, website: Globe }

export function TaskCard({ task }: { task: MemberTask }) {
  const { t } = useTranslation('tasks')
  const memberId = useAtomValue(memberIdAtom) ?? 0
  const [visited, setVisited] = useState(() => visitedTasks(memberId).includes(task.id))
  const { id, check, completed, completedAt, state, dailyLimit } = task
  const { title, description } = taskTexts(task)
  const Icon = icons[task.platform]
  const isOpen = state === 'open' && !completed
  const keptFocus = useKeptFocus()
  const onVisit = () => {
    rememberVisit(memberId, id)
    setVisited(true)
  }
  // Claim is secondary until the member can expect to be paid.
  const actions = (isReady: boolean, isBlocked = false) => (
    <div className={actionsLook}>
      <Visit task={task} onVisit={onVisit} />
      <ClaimButton
        task={task}
        variant={isReady ? 'primary' : 'secondary'}
        isBlocked={isBlocked}
        onClick={() => claimTask(id)}
      />
    </div>
  )
  return (
    <li
      aria-labelledby={`task-${id}`}
      {...keptFocus}
      className="rounded-panel border border-line bg-panel p-panel"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-control border border-sky-line bg-sky-soft text-sky">
          <Icon className="size-5" strokeWidth={1.75} />
        </span>
        <div className="min-w-0 grow basis-24">
          <h2 id={`task-${id}`} className="text-base">
            {title}
          </h2>
          <p className="mt-0.5 flex flex-wrap items-center gap-2 text-xs text-muted">
            {t(`platforms.${task.platform}`)} · {t(`actions.${task.action}`)}
            {dailyLimit !== undefined && <Badge tone="amber">{t('daily')}</Badge>}
            {dailyLimit !== undefined &&
              dailyLimit > 1 &&
              t('today', { claims: task.claims, dailyLimit })}
          </p>
        </div>
        <p className="figure font-medium whitespace-nowrap text-mint">
          +{grouped(task.reward)} TESP
        </p>
      </div>
      <p className="mt-3 text-sm text-muted">{description}</p>
      {completedAt !== undefined && (
        <p className="mt-3 flex items-center gap-2 text-xs text-muted">
          <Check className="size-4 shrink-0 text-mint" />
          {t('completedOn', { date: dateText(completedAt), time: timeText(completedAt) })}
        </p>
      )}
      {isOpen && check === 'trust' && <p className="mt-3 text-xs text-muted">{t('trust')}</p>}
      {isOpen && check === 'code' ? (
        <CodeClaim task={task} visit={<Visit task={task} onVisit={onVisit} />} />
      ) : isOpen && check === 'telegram' ? (
        <TelegramClaim actions={actions} fallback={<Skeleton className="mt-3 h-32" />} />
      ) : (
        actions(visited || completed)
      )}
    </li>
  )
}

function Visit({ task, onVisit }: { task: MemberTask; onVisit: () => void }) {
  const { t } = useTranslation('tasks')
  const { link } = task
  const label = (
    <>
      <ExternalLink className="size-4" />
      {t('visit')}
      <span className="sr-only">: {taskTexts(task).title}</span>
    </>
  )
  if (!link) {
    return (
      <Button variant="secondary" disabled>
        {label}
      </Button>
    )
  }
  return (
    <Button variant="secondary" asChild>
      <a
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        onClick={onVisit}
        onAuxClick={onVisit}
      >
        {label}
        <span className="sr-only">{t('newTab')}</span>
      </a>
    </Button>
  )
}

type ClaimProps = Pick<ButtonProps, 'variant' | 'type' | 'onClick'> & {
  task: MemberTask
  isBlocked?: boolean
}

function ClaimButton({ task: { id, completed, state }, isBlocked, ...button }: ClaimProps) {
  const { t } = useTranslation('tasks')
  const claiming = runningCommand(useAtomValue(commandsAtom), taskMutexKey(id))?.state
  return (
    <Button
      disabled={completed || state !== 'open' || isBlocked}
      busy={claiming !== undefined}
      busyLabel={claiming && progressLabel(claiming, undefined)}
      aria-describedby={`task-${id}`}
      {...button}
    >
      {t(completed ? 'claimed' : state === 'open' ? 'claim' : state)}
    </Button>
  )
}

function CodeClaim({ task, visit }: { task: MemberTask; visit: ReactNode }) {
  const { t } = useTranslation('tasks')
  const [code, setCode] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim()) void claimTask(task.id, code.trim())
  }
  return (
    <form onSubmit={onSubmit}>
      <label className="mt-3 block text-sm font-medium">
        {t('code')}
        <input
          value={code}
          onChange={({ target }) => setCode(target.value)}
          required
          maxLength={TASK_CODE_MAX}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="mt-1.5 h-12 w-full rounded-control border border-line-strong bg-panel px-3.5 text-base text-ink focus-visible:bg-raised"
        />
      </label>
      <div className={actionsLook}>
        {visit}
        <ClaimButton task={task} type="submit" />
      </div>
    </form>
  )
}
