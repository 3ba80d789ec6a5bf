import { useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import Bird from 'lucide-react/icons/bird'
import Check from 'lucide-react/icons/check'
import CirclePlay from 'lucide-react/icons/circle-play'
import ExternalLink from 'lucide-react/icons/external-link'
import Globe from 'lucide-react/icons/globe'
import Send from 'lucide-react/icons/send'
import { useTranslation } from 'react-i18next'
import { progressLabel } from '#client/commands/commands.ts'
import { dateText, timeText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import type { TaskDefinition } from '#rules/money/tasks'
import { claimingAtom, claimTask } from './task-commands.ts'
import type { Task } from './task-list.ts'
import { taskTexts } from './task-texts.ts'

const cardLook = 'rounded-panel border border-line bg-panel p-panel'
const actionsLook =
  'mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3 *:px-2!'

/** `Completed on Mar 1, 2026 at 12:00 PM`, in the language on the screen. */
export function completedText(completedAt: string): string {
  const date = dateText(completedAt)
  return i18n.t('tasks:completedOn', { date, time: timeText(completedAt) })
}

export function TaskCard({ task }: { task: Task }) {
  const { id, completedAt } = task
  return (
    <li aria-labelledby={`task-${id}`} className={cardLook}>
      <TaskFacts task={task} />
      {completedAt !== undefined && (
        <p className="mt-3 flex items-center gap-2 text-xs text-muted">
          <Check aria-hidden="true" className="size-4 shrink-0 text-mint" />
          {completedText(completedAt)}
        </p>
      )}
      <div className={actionsLook}>
        <Visit task={task} />
        <Claim task={task} />
      </div>
    </li>
  )
}

/** A card whose completion is unknown. */
export function WaitingTaskCard({ task }: { task: TaskDefinition }) {
  return (
    <li aria-labelledby={`task-${task.id}`} className={cardLook}>
      <TaskFacts task={task} />
      <div className={actionsLook}>
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </div>
    </li>
  )
}

/** What every member sees of a task. */
function TaskFacts({ task }: { task: TaskDefinition }) {
  const { t } = useTranslation('tasks')
  const { id, platform, action, reward, dailyLimit } = task
  const { title, description } = taskTexts(task)
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <PlatformIcon platform={platform} />
        <div className="min-w-0 grow basis-24">
          <h2 id={`task-${id}`} className="text-base">
            {title}
          </h2>
          <p className="mt-0.5 flex flex-wrap items-center gap-2 text-xs text-muted">
            {t(`platforms.${platform}`)} · {t(`actions.${action}`)}
            {dailyLimit !== undefined && <Badge tone="amber">{t('daily')}</Badge>}
          </p>
        </div>
        <p className="figure font-medium whitespace-nowrap text-mint">+{reward} TESP</p>
      </div>
      <p className="mt-3 text-sm text-muted">{description}</p>
    </>
  )
}

function Visit({ task }: { task: Task }) {
  const { t } = useTranslation('tasks')
  const { link } = task
  const label = (
    <>
      <ExternalLink aria-hidden="true" className="size-4" />
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
      <a href={link} target="_blank" rel="noopener noreferrer">
        {label}
        <span className="sr-only">{t('newTab')}</span>
      </a>
    </Button>
  )
}

function Claim({ task: { id, completed } }: { task: Task }) {
  const { t } = useTranslation('tasks')
  const claiming = useAtomValue(claimingAtom).get(id)
  return (
    <Button
      disabled={completed}
      busy={claiming !== undefined}
      busyLabel={claiming && progressLabel(claiming, undefined)}
      aria-describedby={`task-${id}`}
      onClick={() => claimTask(id)}
    >
      {t(completed ? 'claimed' : 'claim')}
    </Button>
  )
}

type Platform = TaskDefinition['platform']

const icons: Record<Platform, LucideIcon> = {
  twitter: Bird,
  telegram: Send,
  youtube: CirclePlay,
  website: Globe,
}

/** Decorative: the name of the platform is next to it. */
function PlatformIcon({ platform }: { platform: Platform }) {
  const Icon = icons[platform]
  return (
    <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-control border border-sky-line bg-sky-soft text-sky">
      <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
    </span>
  )
}
