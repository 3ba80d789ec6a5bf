import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import { useTranslation } from 'react-i18next'

const updates = ['rewards', 'milestones', 'optimization'] as const

/** Three fixed entries (Specification §2: Network). */
export function LatestUpdates() {
  const { t } = useTranslation('network')
  return (
    <>
      <h3 className="mt-6 font-sans text-sm font-medium">{t('updates.title')}</h3>
      <ul className="mt-2">
        {updates.map((update) => (
          <li
            key={update}
            className="flex gap-3 border-line border-t py-3 first:border-t-0 last:pb-0"
          >
            <ArrowUpRight
              aria-hidden="true"
              className="mt-0.5 size-4 shrink-0 text-mint"
              strokeWidth={1.75}
            />
            <div>
              <p className="text-sm font-medium">{t(`updates.${update}`)}</p>
              <p className="mt-0.5 text-sm text-muted">{t(`updates.${update}Text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
