import { ChevronDown } from 'lucide-react'
import type { HourOfCredits } from './network-status.ts'

/** The bars of the chart as a table. */
export function ActivityTable({ hours }: { hours: HourOfCredits[] }) {
  return (
    <details className="group mt-2 -mb-2">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-chip text-sm text-muted transition hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronDown aria-hidden="true" className="size-4 transition group-open:rotate-180" />
        Activity as a table
      </summary>
      <table className="mb-2 w-full text-sm">
        <caption className="sr-only">Credits in each of the last 24 hours</caption>
        <thead>
          <tr className="text-left text-xs text-muted *:pb-2 *:font-normal">
            <th scope="col">Hour from</th>
            <th scope="col" className="text-right">
              Credits
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
              <td className="figure text-right">{credits.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
