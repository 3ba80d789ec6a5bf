import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { copyText } from '#client/ui/buttons/copy-text.ts'

/** How long the button shows the outcome (Specification §9). */
export const COPIED_MS = 2_000

type Outcome = { copied: boolean; at: number }

/** Copies a text and shows the outcome for two seconds; `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const Icon = outcome?.copied ? Check : Copy
  return (
    <Button
      variant="secondary"
      className="min-w-28"
      onClick={async () => setOutcome({ copied: await copyText(text), at: performance.now() })}
    >
      <Icon aria-hidden="true" className="size-4" />
      <span aria-live="polite">{t(labelOf(outcome))}</span>
      {!outcome && <span className="sr-only">{what}</span>}
    </Button>
  )
}

function labelOf(outcome: Outcome | null) {
  if (!outcome) return 'copy'
  return outcome.copied ? 'copied' : 'notCopied'
}
