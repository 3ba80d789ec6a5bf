import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { refresh, WALLET_URL, walletAtom } from '#client/data/member-data.ts'
import { LoadError } from '#client/layout/states/load-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { ActivityTab } from './activity/activity-tab.tsx'
import { AssetsTab } from './assets/assets-tab.tsx'
import { balancesOf } from './assets/balances.ts'
import { WalletHeader } from './wallet-header.tsx'

export function WalletScreen() {
  const { t } = useTranslation('wallet')
  const { data: wallet, isError, isFetching } = useAtomValue(walletAtom)
  const balances = wallet ? balancesOf(wallet) : null
  if (isError && !wallet) {
    return (
      <div className="flex flex-col gap-4">
        <h1 className="text-lg">{t('title')}</h1>
        <LoadError
          title={t('loadFailed.title')}
          text={t('loadFailed.text')}
          onRetry={() => refresh(WALLET_URL)}
          retrying={isFetching}
        />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <WalletHeader balances={balances} />
      {!balances && <LoadingNote />}
      <Tabs defaultValue="assets" className="flex flex-col gap-4">
        <TabsList aria-label={t('tabs.label')}>
          <TabsTrigger value="assets">{t('tabs.assets')}</TabsTrigger>
          <TabsTrigger value="activity">{t('tabs.activity')}</TabsTrigger>
          <TabsTrigger value="transactions">{t('tabs.transactions')}</TabsTrigger>
        </TabsList>
        <TabsContent value="assets">
          <AssetsTab balances={balances} />
        </TabsContent>
        <TabsContent value="activity">
          <ActivityTab />
        </TabsContent>
        <TabsContent value="transactions">
          <Panel
            className="py-12 text-center text-sm text-balance text-muted"
            aria-label={t('tabs.transactions')}
          >
            {t('transactions')}
          </Panel>
        </TabsContent>
      </Tabs>
    </div>
  )
}
