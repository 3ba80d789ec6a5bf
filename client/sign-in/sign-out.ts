import { call, messageOf } from '#client/data/api.ts'
import { toast } from '#client/ui/toast.tsx'
import { signOutHere } from './sign-in.ts'

/** What is said when no answer came at all. */
export const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

/** Ends this sign-in; the guards lead to /auth. */
export async function signOut(): Promise<void> {
  try {
    await signOutHere(() => call('POST /api/logout'))
    toast({ title: 'Logged out', description: "You've been successfully logged out." })
  } catch (error) {
    toast({
      title: 'Logout failed',
      description: messageOf(error, UNREACHABLE),
      variant: 'destructive',
    })
  }
}
