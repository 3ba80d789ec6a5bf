import { atom } from 'jotai'
import { messageOf } from '#client/data/api.ts'
import { store } from '#client/data/query-cache.ts'
import { i18n } from '#client/language/language.ts'

type ToastOptions = {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
}

export type Shown = ToastOptions & { id: number; open: boolean }

/** The toast on the screen; closed ones stay until their animation has ended. */
export const toastAtom = atom<Shown | null>(null)

let lastId = 0

/** Replaces the previous toast; works outside React too. */
export function toast(options: ToastOptions): void {
  lastId += 1
  store.set(toastAtom, { ...options, id: lastId, open: true })
}

export function showError(title: string, description?: string): void {
  toast({ title, description, variant: 'destructive' })
}

export function showFailure(
  title: string,
  error: unknown,
  fallback: string = i18n.t('noAnswer'),
): void {
  showError(title, messageOf(error, fallback))
}

/** Removes the toast without an animation. */
export const clearToast = () => store.set(toastAtom, null)
