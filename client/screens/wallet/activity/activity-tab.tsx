import { useAtomValue } from 'jotai'
import FileDown from 'lucide-react/icons/file-down'
import History from 'lucide-react/icons/rotate-ccw-clock'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { demoClockAtom } from '#client/data/demo-clock.ts'
import { activityAtom, NO_ACTIVITY } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { Button, LinkButton } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { LoadMore, SkeletonRows } from '#client/ui/load-more.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import type { Activity } from '#rules/snapshots'
import { ActivityDays } from './activity-days.tsx'
import { activityList } from './activity-list.ts'

const ReceiptDialog = lazyComponent(() => import('./receipt-dialog.tsx'), 'ReceiptDialog')
const StatementForm = lazyComponent(() => import('./statement-form.tsx'), 'StatementForm')

export function ActivityTab() {
  // So that a pressed row opens at once.
  useEffect(() => void ReceiptDialog.preload(), [])
  const { t } = useTranslation('wallet')
  const clock = useAtomValue(demoClockAtom)
  const rows = useAtomValue(activityList.rowsAtom)
  // Stays while the dialog fades out.
  const [receipt, setReceipt] = useState<{ activity: Activity; open: boolean }>()
  const openReceipt = (activity: Activity) => setReceipt({ activity, open: true })
  return (
    <Panel aria-labelledby="activity-title" {...useKeptFocus()}>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div className="min-w-0 grow basis-40">
          <h2 id="activity-title" className="text-base">
            {t('activity.title')}
          </h2>
          <p className="mt-1 text-sm text-muted">{t('activity.text')}</p>
        </div>
        <ButtonDialog label={t('statement.open')} description={t('statement.text')} icon={FileDown}>
          {(close) => (
            <StatementForm onDone={close} fallback={<Skeleton className="h-64 rounded-panel" />} />
          )}
        </ButtonDialog>
      </div>
      {clock && (
        <p className="mt-3 flex flex-wrap items-center gap-2 text-xs text-muted">
          <Badge tone="amber">{t('demoClock.label', { speed: clock.speed })}</Badge>
          {t('demoClock.text')}
        </p>
      )}
      <div className="mt-1">
        {rows === null ? (
          <>
            <div className="flex justify-between pt-4 pb-1">
              <Skeleton className="h-4 w-24" />
              <Skeleton className="h-4 w-28" />
            </div>
            <SkeletonRows text={t('activity.loading')} count={4} />
          </>
        ) : rows.items.length === 0 ? (
          <Empty />
        ) : (
          <>
            <ActivityDays items={rows.items} isComplete={rows.next === null} onOpen={openReceipt} />
            {rows.next && (
              <LoadMore
                list={activityList}
                failedText={t('activity.olderFailed')}
                className="pt-4"
              />
            )}
          </>
        )}
      </div>
      {receipt && (
        <ReceiptDialog
          {...receipt}
          onClose={() => setReceipt({ ...receipt, open: false })}
          fallback={null}
        />
      )}
    </Panel>
  )
}

function Empty() {
  const { t } = useTranslation(['wallet', 'common'])
  const { data, isFetching } = useAtomValue(activityAtom)
  const unread = data?.asOf === NO_ACTIVITY.asOf
  return (
    <div className="flex flex-col items-center gap-3 py-10 text-center">
      <History className="size-7 text-muted" strokeWidth={1.5} />
      <p className="text-sm text-muted">{t('wallet:activity.empty')}</p>
      {unread ? (
        <Button
          variant="secondary"
          busy={isFetching}
          onClick={() => refresh('/api/wallet/activity')}
        >
          {t('common:tryAgain')}
        </Button>
      ) : (
        <LinkButton href="/mine">{t('wallet:activity.action')}</LinkButton>
      )}
    </div>
  )
}
