import { ArrowUpRight } from 'lucide-react'

const updates = [
  {
    title: 'Live rewards',
    text: 'Credits reach your wallet and your screen the moment they are made.',
  },
  {
    title: 'Team milestones',
    text: 'Each milestone raises the share of USDT that mining earns.',
  },
  {
    title: 'AI optimization',
    text: 'The mining dashboard shows how the optimization changes during a session.',
  },
]

/** Three fixed entries (Specification §2: Network). */
export function LatestUpdates() {
  return (
    <>
      <h3 className="mt-6 font-sans text-sm font-medium">Latest Updates</h3>
      <ul className="mt-2">
        {updates.map(({ title, text }) => (
          <li
            key={title}
            className="flex gap-3 border-line border-t py-3 first:border-t-0 last:pb-0"
          >
            <ArrowUpRight
              aria-hidden="true"
              className="mt-0.5 size-4 shrink-0 text-mint"
              strokeWidth={1.75}
            />
            <div>
              <p className="text-sm font-medium">{title}</p>
              <p className="mt-0.5 text-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
