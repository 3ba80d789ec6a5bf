import { dateTimeText } from '#client/format/dates.ts'
import { Button } from '#client/ui/button.tsx'
import type { MemberSignIn } from '#rules/snapshots'
import { endSignIn } from './sign-in-commands.ts'
import { SignOutDialog } from './sign-out-dialog.tsx'

type SignInRowProps = { signIn: MemberSignIn; username: string }

/** One sign-in: device, network, last request, and a button that ends it unless it is this one. */
export function SignInRow({ signIn, username }: SignInRowProps) {
  const { id, device, network, lastSeenAt, current } = signIn
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3">
      <div className="min-w-0 grow basis-44 text-sm">
        <p className="font-medium">{device}</p>
        <p className="mt-0.5 text-muted">
          {current ? (
            'This device'
          ) : (
            <>
              Last seen <time dateTime={lastSeenAt}>{dateTimeText(lastSeenAt)}</time>
            </>
          )}
          {` · network ${network}`}
        </p>
      </div>
      {!current && (
        <SignOutDialog
          title={`Sign out ${device}`}
          description="It has to sign in again, with your password."
          username={username}
          end={(password) => endSignIn({ signInId: id, password })}
          trigger={
            <Button variant="secondary" aria-label={`Sign out ${device}`}>
              Sign out
            </Button>
          }
        />
      )}
    </li>
  )
}
