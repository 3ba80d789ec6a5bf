import { ArrowLeftRight } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { Panel } from '#client/ui/panel.tsx'

/** Announces the swap. The button does nothing yet; a hidden note explains that to screen readers. */
export function SwapScreen() {
  return (
    <Panel className="flex flex-col items-center gap-5 py-16! text-center">
      <span className="inline-flex size-20 items-center justify-center rounded-full border border-mint-line bg-mint-soft text-mint">
        <ArrowLeftRight aria-hidden="true" className="size-8" strokeWidth={1.5} />
      </span>
      <h1 className="text-lg">Swap Feature Coming Soon</h1>
      <Button variant="secondary" aria-disabled="true" aria-describedby="notify-note">
        Get Notified
      </Button>
      <p id="notify-note" className="sr-only">
        Not available yet: this button does nothing.
      </p>
    </Panel>
  )
}
