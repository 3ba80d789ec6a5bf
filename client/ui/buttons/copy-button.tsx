import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'

type CopyButtonProps = { text: string; what: string; onCopied?: () => void }

/** `what` names the text for screen readers. */
export function CopyButton({ text, what, onCopied }: CopyButtonProps) {
  const { t } = useTranslation()
  const [copied, showCopied] = useOutcome()
  return (
    <Button
      variant="secondary"
      icon={copied ? Check : Copy}
      className="min-w-28"
      onClick={async () => {
        const isCopied = await copyText(text)
        showCopied(isCopied)
        if (isCopied) onCopied?.()
      }}
    >
      <span aria-live="polite">{t(labelOf(copied))}</span>
      {copied === null && <span className="sr-only">{what}</span>}
    </Button>
  )
}

function labelOf(copied: boolean | null) {
  if (copied === null) return 'copy'
  return copied ? 'copied' : 'notCopied'
}

/** Fallback for pages loaded over plain HTTP, which have no clipboard API. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** How long a button shows that it has copied (Specification §9). */
const COPIED_MS = 2_000

/** Shows an outcome for two seconds; each call starts them again. */
export function useOutcome(): [boolean | null, (outcome: boolean) => void] {
  const [shown, setShown] = useState<{ outcome: boolean } | null>(null)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return [shown === null ? null : shown.outcome, (outcome) => setShown({ outcome })]
}
