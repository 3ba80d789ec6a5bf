import { atom, useAtomValue } from 'jotai'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { demoClockAtom, realTime } from '#client/data/demo-clock.ts'
import { taskListAtom, taskTexts } from '#client/data/tasks.ts'
import { signedText, wholeText } from '#client/format/amounts.ts'
import { dateTimeText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { rowFit, TokenLogo } from '#client/ui/amounts.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { DEFAULT_LANGUAGE } from '#rules/members/languages'
import { creditCount } from '#rules/money/ledger-id'
import type { Activity, Task, TaskList } from '#rules/snapshots'

const TITLES = { mining_reward: 'wallet:row.mining', usdt_reward: 'wallet:row.usdt' } as const

export function activityTitle({ id, type, description }: Activity, tasks: Task[]): string {
  const known = type === 'mining_reward' || type === 'usdt_reward' ? TITLES[type] : undefined
  const text = known ? i18n.t(known) : descriptionText(description, tasks)
  const title = text || i18n.t('wallet:row.other')
  const count = creditCount(id)
  return count > 1 ? i18n.t('wallet:row.credits', { title, count }) : title
}

const noListAtom = atom<{ data?: TaskList | null }>({})

/** The tasks that a description may name; none in English, in which the ledger stores their titles. */
export function useNamedTasks({ id }: Activity): Task[] {
  const { i18n: used } = useTranslation('wallet')
  const isNeeded = used.language !== DEFAULT_LANGUAGE && id.startsWith('task:')
  return useAtomValue(isNeeded ? taskListAtom : noListAtom).data?.tasks ?? []
}

const tones: Record<Activity['tokenType'], string> = { TESP: 'text-mint', USDT: 'text-sky' }

export const changeText = ({ amount, tokenType }: Pick<Activity, 'amount' | 'tokenType'>) =>
  `${amount.startsWith('-') ? '' : '+'}${signedText(amount, tokenType)}`

type ActivityRowProps = { activity: Activity; onOpen: (activity: Activity) => void }

/** Rendered once: rows of the ledger never change. The title's button covers the row. */
export const ActivityRow = memo(
  function ActivityRow({ activity, onOpen }: ActivityRowProps) {
    // Renders the row again in another language.
    const tasks = useNamedTasks(activity)
    const outgoing = activity.amount.startsWith('-')
    const amount = changeText(activity)
    return (
      <li className="relative flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-3 max-[22rem]:gap-x-1.5">
        <TokenLogo token={activity.tokenType} className="size-10 max-[22rem]:size-8" />
        <div className="min-w-0 grow basis-28">
          {/* A flex item: an inline button adds its descender to the height of the row. */}
          <p className="flex text-sm font-medium">
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => onOpen(activity)}
              className="text-left outline-none after:absolute after:inset-0 after:rounded-chip focus-visible:after:outline-2 focus-visible:after:outline-mint"
            >
              <span className="line-clamp-2">{activityTitle(activity, tasks)}</span>
            </button>
          </p>
          <ActivityTime
            at={activity.timestamp}
            className="block text-xs text-muted max-[22rem]:tracking-tight"
          />
        </div>
        <p className="ml-auto text-right text-base">
          <span
            style={{ fontSize: rowFit(amount) }}
            className={classNames(
              'figure block font-medium whitespace-nowrap',
              outgoing ? 'text-ink' : tones[activity.tokenType],
            )}
          >
            {amount}
          </span>
          <span className="block text-xs text-muted">{activity.tokenType}</span>
        </p>
        <ChevronRight className="-mr-1 size-4 shrink-0 text-muted" />
      </li>
    )
  },
  (before, after) => before.activity.id === after.activity.id,
)

export function ActivityTime({ at, className }: { at: string; className?: string }) {
  const time = realTime(at, useAtomValue(demoClockAtom))
  return (
    <time dateTime={time} className={className}>
      {dateTimeText(time)}
    </time>
  )
}

/** The descriptions that the ledger stores in English. */
const DESCRIPTIONS = [
  ['wallet:row.correction', /^Correction: (.+)$/s],
  ['wallet:row.task', /^Task reward: (.+)$/],
  ['wallet:row.milestone', /^Team milestone: (\d+) members$/],
] as const

function taskTitle(english: string, tasks: Task[]): string {
  const task = tasks.find(({ texts }) => texts.en.title === english)
  return task ? taskTexts(task).title : english
}

export function descriptionText(description: string, tasks: Task[] = []): string {
  for (const [key, pattern] of DESCRIPTIONS) {
    const value = pattern.exec(description)?.[1]
    if (!value) continue
    if (key === 'wallet:row.task') return i18n.t(key, { value: taskTitle(value, tasks) })
    return i18n.t(key, { value: key === 'wallet:row.milestone' ? wholeText(Number(value)) : value })
  }
  return description
}
