import { Ellipsis, ListChecks, type LucideIcon, Pickaxe, UsersRound, Wallet } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { classNames } from '#client/ui/class-names.ts'
import { Tooltip } from '#client/ui/tooltip.tsx'

const destinations: { path: string; label: string; Icon: LucideIcon }[] = [
  { path: '/mine', label: 'Mine', Icon: Pickaxe },
  { path: '/wallet', label: 'Wallet', Icon: Wallet },
  { path: '/tasks', label: 'Tasks', Icon: ListChecks },
  { path: '/team', label: 'Team', Icon: UsersRound },
]

const itemLook =
  'relative flex h-16 w-full flex-col items-center justify-center gap-1 text-xs font-medium transition -outline-offset-2'

export function BottomNav() {
  const [location] = useLocation()
  return (
    <nav
      aria-label="Main"
      className="sticky bottom-0 z-30 border-t border-line bg-bar pb-[env(safe-area-inset-bottom)] backdrop-blur-xl"
    >
      <ul className="grid grid-cols-5">
        {destinations.map(({ path, label, Icon }) => {
          const active = location === path || location.startsWith(`${path}/`)
          return (
            <li key={path}>
              <Link
                href={path}
                aria-current={active ? 'page' : undefined}
                className={classNames(itemLook, active ? 'text-mint' : 'text-muted hover:text-ink')}
              >
                {active && (
                  <span
                    className="absolute top-0 h-0.5 w-8 rounded-full bg-mint"
                    aria-hidden="true"
                  />
                )}
                <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
                {label}
              </Link>
            </li>
          )
        })}
        <li>
          <Tooltip content="Coming soon">
            <button type="button" className={classNames(itemLook, 'text-muted hover:text-ink')}>
              <Ellipsis aria-hidden="true" className="size-5" strokeWidth={1.75} />
              More
            </button>
          </Tooltip>
        </li>
      </ul>
    </nav>
  )
}
