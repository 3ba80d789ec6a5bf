import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { copyText } from '#client/ui/buttons/copy-text.ts'
import { useOutcome } from '#client/ui/buttons/use-outcome.ts'

/** Copies a text and shows the outcome for two seconds; `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation()
  const [copied, showCopied] = useOutcome<boolean>()
  const Icon = copied ? Check : Copy
  return (
    <Button
      variant="secondary"
      className="min-w-28"
      onClick={async () => showCopied(await copyText(text))}
    >
      <Icon aria-hidden="true" className="size-4" />
      <span aria-live="polite">{t(labelOf(copied))}</span>
      {copied === null && <span className="sr-only">{what}</span>}
    </Button>
  )
}

function labelOf(copied: boolean | null) {
  if (copied === null) return 'copy'
  return copied ? 'copied' : 'notCopied'
}
