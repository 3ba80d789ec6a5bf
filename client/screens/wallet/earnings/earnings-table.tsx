import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signedText } from '#client/format/amounts.ts'
import { utcDayText } from '#client/format/dates.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import type { EarningsDay } from '#rules/snapshots'
import { hasRows, shortDayText, sourcesOf } from './earnings-figures.ts'

export function EarningsTable({ days }: { days: EarningsDay[] }) {
  const { t } = useTranslation('earnings')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        aria-expanded={open}
        aria-controls="earnings-table"
        onClick={() => setOpen(!open)}
        className="self-start"
      >
        {t(open ? 'table.hide' : 'table.show')}
      </Button>
      <div id="earnings-table" hidden={!open}>
        {open && <DayTable days={days.filter(hasRows).toReversed()} />}
      </div>
    </>
  )
}

function DayTable({ days }: { days: EarningsDay[] }) {
  const { t } = useTranslation('earnings')
  const sources = sourcesOf(days)
  return (
    <section
      aria-label={t('table.title')}
      className="overflow-hidden rounded-panel border border-line bg-panel"
    >
      <p id="earnings-note" className="px-panel pt-3 pb-2 text-xs text-muted max-[22rem]:px-3">
        {t('table.note')}
      </p>
      {/* Scrolls by itself where large text or amounts leave no room for the columns. */}
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it.
        tabIndex={0}
        className="overflow-x-auto rounded-panel px-panel pb-3 -outline-offset-2 max-[22rem]:px-3"
      >
        <table aria-labelledby="earnings-note" className="w-full text-xs">
          <thead>
            <tr className="text-muted">
              <th scope="col" className="py-2 text-left font-normal">
                {t('table.day')}
              </th>
              {sources.map((source) => (
                <th key={source} scope="col" className="py-2 pl-2 text-right font-normal">
                  {t(`table.${source}`)}
                </th>
              ))}
              <th scope="col" className="py-2 pl-2 text-right font-normal">
                USDT
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day} className="border-line border-t">
                <th scope="row" className="py-2 text-left font-normal whitespace-nowrap">
                  <time dateTime={day.day} title={utcDayText(day.day)}>
                    {shortDayText(day.day)}
                  </time>
                </th>
                {sources.map((source) => (
                  <td key={source} className="figure py-2 pl-2 text-right tracking-normal">
                    {signedText(day[source], 'TESP')}
                  </td>
                ))}
                <td className="figure py-2 pl-2 text-right tracking-normal">
                  {signedText(day.usdt, 'USDT')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
