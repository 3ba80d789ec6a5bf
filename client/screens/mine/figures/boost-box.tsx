import { useAtomValue } from 'jotai'
import Users from 'lucide-react/icons/users'
import { useTranslation } from 'react-i18next'
import { boostPercent } from '#client/screens/mine/mining-view.ts'
import { Panel } from '#client/ui/panel.tsx'
import { boostAtom } from './boost.ts'

/** The boost of the team; renders nothing while it is 0. */
export function BoostBox() {
  const { t } = useTranslation('mine')
  const miningBoost = useAtomValue(boostAtom)
  if (miningBoost <= 0) return null
  return (
    <Panel aria-labelledby="boost-title" className="@container">
      <div className="flex gap-4">
        <Users aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-mint" strokeWidth={1.75} />
        <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-3">
          <h2 id="boost-title" className="text-base">
            {t('boost.title')}
          </h2>
          <span className="figure text-lg font-medium text-mint">
            +{boostPercent(miningBoost)}%
          </span>
        </div>
      </div>
      {/* Below the title, or as wide as the box where it is narrow. */}
      <p className="mt-1 pl-9 text-sm text-muted @max-[14rem]:pl-0">{t('boost.text')}</p>
    </Panel>
  )
}
