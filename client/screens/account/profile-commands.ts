import { call, isSignedOut, messageOf } from '#client/data/api.ts'
import { currentUser, recheckUser, setUser } from '#client/data/member-data.ts'
import { NO_ANSWER } from '#client/screens/no-answer.ts'
import { clearToast, toast } from '#client/ui/toast.tsx'
import type { BodyOf } from '#contract/routes'
import type { User } from '#rules/snapshots'
import { ImageTooLarge, type ResizedImage, resizeImage } from './avatar/resize-image.ts'

/** Replaces the cached user, unless another member has signed in since. */
export function replaceUser(updated: User): void {
  if (currentUser()?.id === updated.id) setUser(updated)
}

/** Shows a failure in a toast, with the server's message if there is one. */
export function showFailure(title: string, error: unknown, fallback = NO_ANSWER): void {
  toast({ title, description: messageOf(error, fallback), variant: 'destructive' })
  if (isSignedOut(error)) recheckUser()
}

async function change(
  body: BodyOf<'PATCH /api/user/profile'>,
  done: string,
  failed: string,
): Promise<User | null> {
  try {
    const updated = await call('PATCH /api/user/profile', { body })
    replaceUser(updated)
    toast({ title: done })
    return updated
  } catch (error) {
    showFailure(failed, error)
    return null
  }
}

export type Profile = { username: string; email: string; fullName: string; phone: string }

/** Saves the whole profile, including the current avatar if there is one (Specification §7). */
export function saveProfile(profile: Profile): Promise<User | null> {
  const avatar = currentUser()?.avatar
  const body = { ...profile, ...(avatar ? { avatar } : {}) }
  return change(body, 'Profile updated', 'Failed to update profile')
}

/** Saves only the avatar; resolves to whether it was saved. Null means that none is chosen. */
export async function saveAvatar(avatar: string | null): Promise<boolean> {
  if (avatar === null) {
    toast({
      title: 'Please select an avatar',
      description: 'You need to select an avatar or upload an image from your device',
      variant: 'destructive',
    })
    return false
  }
  return (await change({ avatar }, 'Avatar updated', 'Failed to update avatar')) !== null
}

/** Resizes a chosen file to an avatar; shows a toast and resolves to null if that fails. */
export async function optimizeImage(file: Blob): Promise<ResizedImage | null> {
  // A toast about an earlier file does not apply to this one.
  clearToast()
  try {
    return await resizeImage(file)
  } catch (error) {
    const tooLarge = error instanceof ImageTooLarge ? 'Even resized it is above 100 KiB. ' : ''
    toast({
      title: 'Error optimizing image',
      description: `${tooLarge}Please try with a different image`,
      variant: 'destructive',
    })
    return null
  }
}
