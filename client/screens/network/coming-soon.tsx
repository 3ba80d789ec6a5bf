import { ChartNoAxesCombined, Coins, type LucideIcon, MessagesSquare, Search } from 'lucide-react'
import { Panel } from '#client/ui/panel.tsx'

const coming: { text: string; Icon: LucideIcon }[] = [
  { text: 'Team chat and messaging', Icon: MessagesSquare },
  { text: 'Transaction explorer', Icon: Search },
  { text: 'Network participation rewards', Icon: Coins },
  { text: 'Advanced mining statistics', Icon: ChartNoAxesCombined },
]

export function ComingSoon() {
  return (
    <Panel aria-labelledby="coming-title">
      <h2 id="coming-title" className="text-base">
        Coming Soon
      </h2>
      <ul className="mt-3 flex flex-col gap-3">
        {coming.map(({ text, Icon }) => (
          <li key={text} className="flex items-center gap-3 text-sm text-muted">
            <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
            {text}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
