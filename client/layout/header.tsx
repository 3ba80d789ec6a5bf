import { Link } from 'wouter'
import { Brand } from '#client/layout/brand.tsx'
import { ConnectionBadge } from '#client/layout/connection-badge.tsx'
import { LateMemberMenu } from '#client/layout/late-member-menu.tsx'
import type { User } from '#rules/snapshots'

export function Header({ user }: { user: User }) {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-bar pt-[env(safe-area-inset-top)] backdrop-blur-xl">
      <div className="flex h-16 items-center gap-3 pr-2.5 pl-4">
        <Link href="/mine" className="min-w-0 grow rounded-chip py-1">
          <Brand />
        </Link>
        <ConnectionBadge />
        <LateMemberMenu user={user} />
      </div>
    </header>
  )
}
