import { call, messageOf } from '#client/data/api.ts'
import { toast } from '#client/ui/toast.tsx'
import { signOutHere } from './sign-in.ts'

/** Message for a request without an answer. */
export const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

/** Signs out in this tab and shows the outcome; the guards redirect to /auth. */
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
