import { useAtomValue } from 'jotai'
import { refresh, WALLET_URL, walletAtom } from '#client/data/member-data.ts'
import { LoadError } from '#client/layout/load-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { ActivityTab } from './activity/activity-tab.tsx'
import { AssetsTab } from './assets-tab.tsx'
import { balancesOf } from './balances.ts'
import { WalletHeader } from './wallet-header.tsx'

export function WalletScreen() {
  const { data: wallet, isError, isFetching } = useAtomValue(walletAtom)
  const balances = wallet ? balancesOf(wallet) : null
  if (isError && !wallet) {
    return (
      <LoadError
        title="Failed to load wallet information"
        text="What you own is safe. Check your connection and try again."
        onRetry={() => refresh(WALLET_URL)}
        retrying={isFetching}
      />
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <WalletHeader balances={balances} />
      <Tabs defaultValue="assets" className="flex flex-col gap-4">
        <TabsList aria-label="Wallet">
          <TabsTrigger value="assets">Assets</TabsTrigger>
          <TabsTrigger value="activity">Activity</TabsTrigger>
          <TabsTrigger value="transactions">Transactions</TabsTrigger>
        </TabsList>
        <TabsContent value="assets">
          <AssetsTab balances={balances} />
        </TabsContent>
        <TabsContent value="activity">
          <ActivityTab />
        </TabsContent>
        <TabsContent value="transactions">
          <Panel className="py-12 text-center text-sm text-muted" aria-label="Transactions">
            Transaction feature will be available in the future
          </Panel>
        </TabsContent>
      </Tabs>
    </div>
  )
}
