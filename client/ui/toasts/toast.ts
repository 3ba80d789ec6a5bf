import { messageOf } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'

type ToastOptions = {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
}

/** The toast on the screen; closed ones stay until their animation has ended. */
export type Shown = ToastOptions & { id: number; open: boolean }

let current: Shown | null = null

export const shownToast = () => current

let lastId = 0
const listeners = new Set<() => void>()

/** Replaces the toast; null removes it. */
export function show(next: Shown | null) {
  current = next
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Replaces the previous toast; works outside React too. */
export function toast(options: ToastOptions): void {
  lastId += 1
  show({ ...options, id: lastId, open: true })
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
export function clearToast(): void {
  show(null)
}
