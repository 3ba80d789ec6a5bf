import { useAtomValue } from 'jotai'
import { Badge } from '#client/ui/badge.tsx'
import { demoClockAtom } from './demo-clock.ts'

/** Marks times that were converted from a demo clock; renders nothing in production. */
export function DemoClockNote() {
  const clock = useAtomValue(demoClockAtom)
  if (!clock) return null
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-xs text-muted">
      <Badge tone="amber">Demo clock ×{clock.speed}</Badge>
      Times are real times, converted from the demo clock.
    </p>
  )
}
