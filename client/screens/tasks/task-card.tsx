import { useAtomValue } from 'jotai'
import { Check, ExternalLink } from 'lucide-react'
import { progressLabel } from '#client/commands/progress-label.ts'
import { dateText, timeText } from '#client/format/dates.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { PlatformIcon } from './platform-icon.tsx'
import { claimingAtom, claimTask } from './task-commands.ts'
import type { Task } from './task-list.ts'

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** `Completed on Mar 1, 2026 at 12:00 PM`, in the locale and time zone of the browser. */
export function completedText(completedAt: string): string {
  return `Completed on ${dateText(completedAt)} at ${timeText(completedAt)}`
}

export function TaskCard({ task }: { task: Task }) {
  const { id, title, description, platform, action, reward, dailyLimit, completedAt } = task
  return (
    <li aria-labelledby={`task-${id}`} className="rounded-panel border border-line bg-panel p-5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <PlatformIcon platform={platform} />
        <div className="min-w-0 grow basis-24">
          <h2 id={`task-${id}`} className="text-base">
            {title}
          </h2>
          <p className="mt-0.5 flex flex-wrap items-center gap-2 text-xs text-muted">
            {capitalize(platform)} · {capitalize(action)}
            {dailyLimit !== undefined && <Badge tone="amber">Daily</Badge>}
          </p>
        </div>
        <p className="figure font-medium whitespace-nowrap text-mint">+{reward} TESP</p>
      </div>
      <p className="mt-3 text-sm text-muted">{description}</p>
      {completedAt !== undefined && (
        <p className="mt-3 flex items-center gap-2 text-xs text-muted">
          <Check aria-hidden="true" className="size-4 shrink-0 text-mint" />
          {completedText(completedAt)}
        </p>
      )}
      <div className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3 *:px-2!">
        <Visit task={task} />
        <Claim task={task} />
      </div>
    </li>
  )
}

function Visit({ task: { title, link } }: { task: Task }) {
  const label = (
    <>
      <ExternalLink aria-hidden="true" className="size-4" />
      Visit
      <span className="sr-only">: {title}</span>
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
        <span className="sr-only">, opens in a new tab</span>
      </a>
    </Button>
  )
}

function Claim({ task: { id, completed } }: { task: Task }) {
  const claiming = useAtomValue(claimingAtom).get(id)
  return (
    <Button
      disabled={completed}
      busy={claiming !== undefined}
      busyLabel={claiming && progressLabel(claiming, undefined)}
      aria-describedby={`task-${id}`}
      onClick={() => claimTask(id)}
    >
      {completed ? 'Claimed' : 'Claim Reward'}
    </Button>
  )
}
