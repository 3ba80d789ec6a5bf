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
    <Panel aria-labelledby="boost-title" className="flex gap-4">
      <Users aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-mint" strokeWidth={1.75} />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 id="boost-title" className="text-base">
            {t('boost.title')}
          </h2>
          <span className="figure text-lg font-medium text-mint">
            +{boostPercent(miningBoost)}%
          </span>
        </div>
        <p className="mt-1 text-sm text-muted">{t('boost.text')}</p>
      </div>
    </Panel>
  )
}
