import { type KeyboardEvent, Suspense, useState } from 'react'
import { lazyComponent } from '#client/loading/lazy-component.tsx'
import type { User } from '#rules/members/account-snapshots'
import { AvatarButton } from './avatar-button.tsx'

const MemberMenu = lazyComponent(() => import('./member-menu.tsx'), 'MemberMenu')

/** Loaded before the press, so that the menu opens at once. */
const preload = () => void MemberMenu.preload()

/** The avatar in the header. The code of its menu is loaded when the member reaches for it. */
export function LateMemberMenu({ user }: { user: User }) {
  const [opened, setOpened] = useState(false)
  const open = () => setOpened(true)
  const openByKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowDown') open()
  }

  const trigger = (
    <AvatarButton
      user={user}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
      onKeyDown={openByKey}
    />
  )
  if (!opened) return trigger
  return (
    <Suspense fallback={trigger}>
      <MemberMenu user={user} />
    </Suspense>
  )
}
