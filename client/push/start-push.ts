import { navigate } from 'wouter/use-browser-location'
import { currentUser, memberIdAtom, store } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import type { PageMessage } from '#rules/members/reminders'
import { keepPush } from './keep-push.ts'

function keep(): void {
  const memberId = currentUser()?.id
  // The next start or sign-in tries again.
  if (memberId !== undefined) keepPush(memberId).catch(() => {})
}

function openFromNotification({ data }: MessageEvent<Partial<PageMessage> | null>): void {
  if (typeof data?.open === 'string') navigate(data.open)
}

/**
 * Follows the sign-in and the language for the push subscription of this browser, and opens what a
 * pressed notification names.
 */
export function startPush(): void {
  store.sub(memberIdAtom, keep)
  i18n.on('languageChanged', keep)
  keep()
  if ('serviceWorker' in navigator) {
    navigator.serviceWorker.addEventListener('message', openFromNotification)
  }
}
