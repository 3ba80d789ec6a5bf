import { atom, useAtomValue } from 'jotai'
import Send from 'lucide-react/icons/send'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { currentUser, memberQueryKey, receiveAnswer, routeQuery } from '#client/data/member-data.ts'
import { queryClient, store } from '#client/data/query-cache.ts'
import { i18n } from '#client/language/language.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { showFailure } from '#client/ui/toasts/toast.ts'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'

/** The link to the bot that is not used yet; `until` in real ms. */
const waitingAtom = atom<{ memberId: number | undefined; url: string; until: number } | null>(null)

/** As long as the link is valid on the server. */
const LINK_MS = 15 * MINUTE_MS

/** Another member who signs in here later must not link an account to the first one. */
const isWaiting = () => {
  const link = store.get(waitingAtom)
  return link !== null && link.memberId === currentUser()?.id && link.until > Date.now()
}

const telegramAtom = routeQuery('/api/telegram', {
  staleTime: 0,
  refetchInterval: ({ state }) => (isWaiting() && !state.data?.linked ? 3 * SECOND_MS : false),
})

const attempt = (change: () => Promise<void>) =>
  change().catch((error) => showFailure(i18n.t('tasks:telegram.notChanged'), error))

const startLink = () =>
  attempt(async () => {
    const memberId = currentUser()?.id
    const { url } = await call('POST /api/telegram/link')
    store.set(waitingAtom, { memberId, url, until: Date.now() + LINK_MS })
    await queryClient.invalidateQueries({ queryKey: memberQueryKey('/api/telegram', memberId) })
  })

const unlink = () =>
  attempt(async () => {
    await receiveAnswer('/api/telegram', call('POST /api/telegram/unlink'))
    store.set(waitingAtom, null)
  })

export function TelegramClaim({
  actions,
}: {
  actions: (isReady: boolean, isBlocked: boolean) => ReactNode
}) {
  const { t } = useTranslation('tasks')
  const { data, isError } = useAtomValue(telegramAtom)
  const waiting = useAtomValue(waitingAtom)
  const keptFocus = useKeptFocus()
  const linked = data?.linked
  return (
    <>
      <p className="mt-3 text-xs text-muted">{t('telegram.checked')}</p>
      <div
        {...keptFocus}
        className="mt-2 flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-2 text-sm"
      >
        {linked ? (
          <>
            <p className="min-w-0 wrap-anywhere">{t('telegram.linked', { name: linked.name })}</p>
            {/* A ghost button has no border: its text is aligned instead. */}
            <Button variant="ghost" className="-mx-4" onPress={unlink}>
              {t('telegram.unlink')}
            </Button>
          </>
        ) : data?.bot === null ? (
          <p className="text-amber">{t('telegram.notSetUp')}</p>
        ) : isError ? (
          <p className="text-amber">{t('telegram.notLoaded')}</p>
        ) : data && waiting && isWaiting() ? (
          <>
            <p role="status" className="min-w-0 grow basis-44 text-muted">
              {t('telegram.waiting')}
            </p>
            <Button asChild variant="secondary">
              <a href={waiting.url} target="_blank" rel="noopener noreferrer">
                {t('telegram.open')}
                <span className="sr-only">{t('newTab')}</span>
              </a>
            </Button>
          </>
        ) : data ? (
          <>
            <p className="min-w-0 grow basis-44 text-muted">{t('telegram.notLinked')}</p>
            <Button variant="secondary" icon={Send} onPress={startLink}>
              {t('telegram.link')}
            </Button>
          </>
        ) : null}
      </div>
      {actions(Boolean(linked), !linked)}
    </>
  )
}
