import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { userAtom } from '#client/data/member-data.ts'
import { ErrorCard } from '#client/ui/error-card.tsx'
import type { User } from '#rules/members/account-snapshots'
import { MainRegion, WaitingPage } from './page.tsx'

/** The page that a visitor requested before the redirect to /auth. */
type Origin = { from?: string } | null

export function SignedInOnly({ children }: { children: (user: User) => ReactNode }) {
  const { t } = useTranslation('layout')
  const { data: user, isPending, isError, refetch } = useAtomValue(userAtom)
  const [path] = useLocation()
  const search = useSearch()
  if (user) return children(user)
  if (isPending) return <WaitingPage />
  if (isError) {
    return (
      <MainRegion className="mx-auto flex min-h-dvh max-w-column flex-col justify-center p-4">
        <ErrorCard
          title={t('userNotLoaded.title')}
          text={t('userNotLoaded.text')}
          onRetry={() => void refetch()}
          isPage
        />
      </MainRegion>
    )
  }
  const state: Origin = { from: search ? `${path}?${search}` : path }
  return <Redirect to="/auth" replace state={state} />
}

export function AnonymousOnly({ children }: { children: ReactNode }) {
  const { data: user, isPending } = useAtomValue(userAtom)
  const origin = useHistoryState<Origin>()
  if (user) return <Redirect to={origin?.from ?? '/'} replace />
  return isPending ? <WaitingPage /> : children
}
