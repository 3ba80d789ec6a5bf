import type { ComponentProps } from 'react'
import { Avatar } from '#client/ui/avatar.tsx'
import type { User } from '#rules/snapshots'

/** The member's avatar in the header, a button that opens their menu. */
export function AvatarButton({ user, ...rest }: ComponentProps<'button'> & { user: User }) {
  return (
    <button
      type="button"
      aria-label={`Account menu of ${user.username}`}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-full transition hover:brightness-125"
      {...rest}
    >
      <Avatar name={user.username} image={user.avatar} />
    </button>
  )
}
