import ChevronDown from 'lucide-react/icons/chevron-down'
import { useTranslation } from 'react-i18next'
import { wholeText } from '#client/format/amounts.ts'
import type { HourOfCredits } from './network-status.ts'

/** The bars of the chart as a table. */
export function ActivityTable({ hours }: { hours: HourOfCredits[] }) {
  const { t } = useTranslation('network')
  return (
    <details className="group mt-2 -mb-2">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-chip text-sm text-muted transition hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronDown aria-hidden="true" className="size-4 transition group-open:rotate-180" />
        {t('activity.asTable')}
      </summary>
      <table className="mb-2 w-full text-sm">
        <caption className="sr-only">{t('activity.caption')}</caption>
        <thead>
          <tr className="text-left text-xs text-muted *:pb-2 *:font-normal">
            <th scope="col">{t('activity.hour')}</th>
            <th scope="col" className="text-right">
              {t('activity.credits')}
            </th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ label, credits }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two hours may have one label
            <tr key={index} className="border-line border-t">
              <th scope="row" className="figure py-2 text-left font-normal">
                {label}
              </th>
              <td className="figure text-right">{wholeText(credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
