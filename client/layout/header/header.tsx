import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { store } from '#client/data/query-cache.ts'
import { reloadAfterFailure } from '#client/first-load/before-app.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { shortAgeText } from '#client/format/ages.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { classNames } from '#client/ui/class-names.ts'
import type { User } from '#rules/members/account-snapshots'
import { AvatarButton } from './avatar-button.tsx'
import { Brand } from './brand.tsx'
import { InboxBell } from './inbox-bell.tsx'

/** With large text the brand has its own row, and the header scrolls away: `top` is negative. */
const STICKY = 'sticky top-[min(0px,(100vw-16rem)*100)]'

export function Header({ user }: { user: User }) {
  return (
    <header
      className={`${STICKY} @container z-30 border-b border-line bg-ground pt-[env(safe-area-inset-top)]`}
    >
      {/* Gaps and paddings yield to the texts. */}
      <div className="flex min-h-16 items-center justify-end gap-x-3 pr-2.5 pl-4 @max-[26rem]:gap-x-2 @max-[22rem]:gap-x-1.5 @max-[22rem]:pr-1.5 @max-[22rem]:pl-3 @max-[16rem]:flex-wrap @max-[16rem]:pr-1 @max-[16rem]:pl-2">
        <Link href="/mine" className="min-w-0 grow rounded-chip py-1 @max-[16rem]:basis-full">
          <Brand />
        </Link>
        <ConnectionBadge />
        <InboxBell />
        <LateMemberMenu user={user} />
      </div>
    </header>
  )
}

const badgeLooks = {
  // Appears after a delay, so that a socket that opens quickly never shows it.
  connecting: { tone: 'animate-appear-late border-line text-muted', dot: 'bg-muted' },
  live: { tone: 'border-mint-line text-mint', dot: 'bg-mint animate-pulse-dot' },
  polling: { tone: 'border-amber-line text-amber', dot: 'bg-amber' },
  offline: { tone: 'border-coral-line text-coral', dot: 'bg-coral' },
}

/** Screen readers do not announce the age. */
export function ConnectionBadge() {
  const { t } = useTranslation('layout')
  const { state, ageMs } = useAtomValue(connectionAtom)
  const { tone, dot } = badgeLooks[state]
  const text = t(`connection.${state}`)
  return (
    <>
      <span role="status" className="sr-only">
        {t('connection.label', { state: text })}
      </span>
      <span
        // A new element for a new state: its width differs, and it must not move as a layout shift.
        key={state}
        className={classNames(
          'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium @max-[26rem]:px-2 @max-[16rem]:px-1.5',
          tone,
        )}
      >
        <span aria-hidden="true" className={classNames('size-1.5 rounded-full', dot)} />
        {/* Beside it a narrow header has no room for the brand on two lines, and would get taller. */}
        <span aria-hidden="true" className={state === 'connecting' ? '@max-[22rem]:hidden' : ''}>
          {text}
        </span>
        {(state === 'polling' || state === 'offline') && (
          <span className="opacity-80 @max-[27rem]:hidden">{shortAgeText(ageMs)}</span>
        )}
      </span>
    </>
  )
}

const MemberMenu = lazyComponent(() => import('./member-menu.tsx'), 'MemberMenu')

/** Loaded before the press, so that the menu opens at once. */
const preloadMenu = () => void MemberMenu.preload()

export function LateMemberMenu({ user }: { user: User }) {
  const [opened, setOpened] = useState(false)
  // Only loaded code is rendered: nothing above the screens contains the failure of a component.
  const open = () =>
    void MemberMenu.preload().then(() => {
      if (MemberMenu.isLoaded()) setOpened(true)
      else if (store.get(connectionAtom).state !== 'offline') reloadAfterFailure()
    })
  const openByKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowDown') open()
  }

  const trigger = (
    <AvatarButton
      user={user}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={open}
      onKeyDown={openByKey}
    />
  )
  return opened ? <MemberMenu user={user} /> : trigger
}
