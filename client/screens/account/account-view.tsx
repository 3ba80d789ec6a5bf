import { useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import Bell from 'lucide-react/icons/bell'
import Database from 'lucide-react/icons/database'
import IdCard from 'lucide-react/icons/id-card'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useTranslation } from 'react-i18next'
import { Redirect } from 'wouter'
import { appInfoAtom, isKycOpenAtom } from '#client/data/app-info.ts'
import { type LazyComponent, lazyComponent } from '#client/first-load/lazy-component.tsx'
import { View, ViewRow } from '#client/layout/view.tsx'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import type { User } from '#rules/members/account-snapshots'
import { PanelWaiting } from './loaded.tsx'
import { ACCOUNT_VIEWS, type AccountView, hrefOfView } from './views.ts'

const SignInsPanel = lazyComponent(() => import('./sign-ins-panel.tsx'), 'SignInsPanel')
const FactorsPanel = lazyComponent(() => import('./factors/factors-panel.tsx'), 'FactorsPanel')
const RemindersPanel = lazyComponent(() => import('./reminders-panel.tsx'), 'RemindersPanel')
const KycPanel = lazyComponent(() => import('./identity/kyc-panel.tsx'), 'KycPanel')
const DataPanel = lazyComponent(() => import('./data-panel.tsx'), 'DataPanel')

const VIEWS: Record<AccountView, { Icon: LucideIcon; panels: LazyComponent<{ user: User }>[] }> = {
  security: { Icon: ShieldCheck, panels: [SignInsPanel, FactorsPanel] },
  notifications: { Icon: Bell, panels: [RemindersPanel] },
  identity: { Icon: IdCard, panels: [KycPanel] },
  data: { Icon: Database, panels: [DataPanel] },
}

const WAITING = <PanelWaiting skeleton="h-64 rounded-panel" />

export function AccountRows({ user, left }: { user: User; left: AccountView | undefined }) {
  const { t } = useTranslation('account')
  const isKycOpen = useAtomValue(isKycOpenAtom)
  const shown = ACCOUNT_VIEWS.filter((view) => view !== 'identity' || isKycOpen)
  return (
    <ul className="@container rounded-panel border border-line bg-panel">
      {shown.map((view) => {
        const { Icon } = VIEWS[view]
        return (
          <li key={view} className="group border-t border-line first:border-t-0">
            <ViewRow
              href={hrefOfView(view)}
              Icon={Icon}
              title={t(`views.${view}.title`)}
              text={view === 'identity' ? t(`kyc.${user.kycStatus}`) : t(`views.${view}.text`)}
              takesFocus={view === left}
            />
          </li>
        )
      })}
    </ul>
  )
}

export function AccountViewScreen({ user, view }: { user: User; view: AccountView }) {
  const { t } = useTranslation('account')
  const isKycOpen = useAtomValue(isKycOpenAtom)
  const { isPending } = useAtomValue(appInfoAtom)
  const isClosed = view === 'identity' && !isKycOpen
  if (isClosed && !isPending) return <Redirect to="/account" replace />
  return (
    <View title={t(`views.${view}.title`)} back={{ href: '/account', label: t('views.back') }}>
      {isClosed
        ? WAITING
        : VIEWS[view].panels.map((Panel, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the panels of a view never change.
            <ErrorBoundary key={`${view} ${nth}`}>
              <Panel user={user} fallback={WAITING} />
            </ErrorBoundary>
          ))}
    </View>
  )
}

/** The prerendered shell: the build does not know which view the address names. */
export function AccountViewWaiting() {
  const { t } = useTranslation('layout')
  return (
    <div className="flex min-h-dvh flex-col gap-4">
      <h1 className="sr-only">{t('titles./account')}</h1>
      <Skeleton className="h-11 w-2/5" />
      {WAITING}
    </div>
  )
}
