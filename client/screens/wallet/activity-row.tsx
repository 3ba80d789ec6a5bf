import { memo } from 'react'
import { amountText } from '#client/format/amounts.ts'
import { dateTimeText } from '#client/format/dates.ts'
import { classNames } from '#client/ui/class-names.ts'
import { TokenLogo } from '#client/ui/token-logo.tsx'
import type { Activity } from '#rules/snapshots'

const titles: Partial<Record<Activity['type'], string>> = {
  mining_reward: 'Mining Reward',
  usdt_reward: 'USDT Reward',
}

export function activityTitle({ type, description }: Activity): string {
  return titles[type] ?? (description || 'Transaction')
}

const tones: Record<Activity['tokenType'], string> = { TESP: 'text-mint', USDT: 'text-sky' }

/** `+0.0333`, or `−1.5000` for an outgoing amount. */
export function signedText({ amount, tokenType }: Activity): string {
  const outgoing = amount.startsWith('-')
  const text = amountText(outgoing ? amount.slice(1) : amount, tokenType)
  return `${outgoing ? '−' : '+'}${text}`
}

/** Rendered once: rows of the ledger never change. */
export const ActivityRow = memo(
  function ActivityRow({ activity }: { activity: Activity }) {
    const outgoing = activity.amount.startsWith('-')
    return (
      <li className="flex items-center gap-3 border-line border-t py-3">
        <TokenLogo token={activity.tokenType} className="size-10" />
        <div className="min-w-0 grow">
          <p className="line-clamp-2 text-sm font-medium">{activityTitle(activity)}</p>
          <time dateTime={activity.timestamp} className="text-xs text-muted">
            {dateTimeText(activity.timestamp)}
          </time>
        </div>
        <p className="shrink-0 text-right">
          <span
            className={classNames(
              'figure block text-base font-medium',
              outgoing ? 'text-ink' : tones[activity.tokenType],
            )}
          >
            {signedText(activity)}
          </span>
          <span className="block text-xs text-muted">{activity.tokenType}</span>
        </p>
      </li>
    )
  },
  (before, after) => before.activity.id === after.activity.id,
)
