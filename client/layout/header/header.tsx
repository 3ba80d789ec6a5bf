import { Link } from 'wouter'
import { Brand } from '#client/layout/header/brand.tsx'
import { ConnectionBadge } from '#client/layout/header/connection-badge.tsx'
import { LateMemberMenu } from '#client/layout/header/late-member-menu.tsx'
import type { User } from '#rules/members/account-snapshots'

/** With large text the brand has a row of its own, and the header scrolls away: `top` is negative. */
const STICKY = 'sticky top-[min(0px,(100vw-16rem)*100)]'

export function Header({ user }: { user: User }) {
  return (
    <header
      className={`${STICKY} @container z-30 border-b border-line bg-ground pt-[env(safe-area-inset-top)]`}
    >
      <div className="header-row flex min-h-16 items-center justify-end">
        <Link href="/mine" className="min-w-0 grow rounded-chip py-1 @max-[16rem]:basis-full">
          <Brand />
        </Link>
        <ConnectionBadge />
        <LateMemberMenu user={user} />
      </div>
    </header>
  )
}
