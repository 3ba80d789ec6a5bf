import Ellipsis from 'lucide-react/icons/ellipsis'
import ListChecks from 'lucide-react/icons/list-checks'
import Pickaxe from 'lucide-react/icons/pickaxe'
import UsersRound from 'lucide-react/icons/users-round'
import Wallet from 'lucide-react/icons/wallet'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { snapshotOf } from '#client/data/member-data.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { classNames } from '#client/ui/class-names.ts'
import { Tooltip } from '#client/ui/dialogs/tooltip.tsx'
import { readyMilestones } from '#rules/money/milestones'

const destinations = [
  { path: '/mine', Icon: Pickaxe },
  { path: '/wallet', Icon: Wallet },
  { path: '/tasks', Icon: ListChecks },
  { path: '/team', Icon: UsersRound },
] as const

const itemLook =
  'relative flex h-16 w-full flex-col items-center justify-center gap-1 text-nav font-medium transition -outline-offset-2'

const MARK_ID = 'milestone-mark'

export function BottomNav() {
  const { t } = useTranslation('layout')
  const [location] = useLocation()
  // Reads the cache only, never the server.
  const milestoneReady = useSyncExternalStore(subscribeToCache, isMilestoneReady, isMilestoneReady)
  return (
    <nav
      aria-label={t('mainNavigation')}
      className="sticky bottom-0 z-30 border-t border-line bg-ground pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="grid grid-cols-5">
        {destinations.map(({ path, Icon }) => {
          const marked = path === '/team' && milestoneReady
          const active = location === path || location.startsWith(`${path}/`)
          return (
            <li key={path}>
              <Link
                href={path}
                aria-current={active ? 'page' : undefined}
                aria-describedby={marked ? MARK_ID : undefined}
                className={classNames(itemLook, active ? 'text-mint' : 'text-muted hover:text-ink')}
              >
                {active && (
                  <span
                    className="absolute top-0 h-0.5 w-8 rounded-full bg-mint"
                    aria-hidden="true"
                  />
                )}
                <span className="relative">
                  <Icon className="size-5" strokeWidth={1.75} />
                  {marked && (
                    <span className="absolute -top-1 -right-1.5 size-2.5 rounded-full border-2 border-ground bg-amber" />
                  )}
                </span>
                {t(`titles.${path}`)}
              </Link>
              {/* A description: the name of the link stays the name of the screen. */}
              {marked && (
                <span id={MARK_ID} className="sr-only">
                  {t('milestoneReady')}
                </span>
              )}
            </li>
          )
        })}
        <li>
          <Tooltip content={t('comingSoon')}>
            <button type="button" className={classNames(itemLook, 'text-muted hover:text-ink')}>
              <Ellipsis className="size-5" strokeWidth={1.75} />
              {t('more')}
            </button>
          </Tooltip>
        </li>
      </ul>
    </nav>
  )
}

const subscribeToCache = (listener: () => void) => queryClient.getQueryCache().subscribe(listener)

function isMilestoneReady(): boolean {
  const team = snapshotOf('/api/referral/info')
  return team !== undefined && readyMilestones(team).length > 0
}
