import { call, isSignedOut, messageOf } from '#client/data/api.ts'
import { currentUser, recheckUser, setUser } from '#client/data/member-data.ts'
import { clearToast, toast } from '#client/ui/toast.tsx'
import type { BodyOf } from '#contract/routes'
import type { User } from '#rules/snapshots'
import { ImageTooLarge, type ResizedImage, resizeImage } from './avatar/resize-image.ts'

const CHECK_CONNECTION = 'No answer from the server. Check your connection and try again.'

/** Puts the updated user in the place of the cached one, unless somebody else signed in meanwhile. */
export function replaceUser(updated: User): void {
  if (currentUser()?.id === updated.id) setUser(updated)
}

/** Says what failed, in the server's words where there are any. */
export function sayFailed(title: string, error: unknown, fallback = CHECK_CONNECTION): void {
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
    sayFailed(failed, error)
    return null
  }
}

export type Profile = { username: string; email: string; fullName: string; phone: string }

/** Saves the profile as a whole, the avatar with it where there is one (Specification §7). */
export function saveProfile(profile: Profile): Promise<User | null> {
  const avatar = currentUser()?.avatar
  const body = { ...profile, ...(avatar ? { avatar } : {}) }
  return change(body, 'Profile updated', 'Failed to update profile')
}

/** Saves the avatar alone; says whether it worked. */
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

/** A chosen file as an avatar; nothing, and a word about it, where that cannot be. */
export async function optimizeImage(file: Blob): Promise<ResizedImage | null> {
  // What was said about another file says nothing about this one.
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
