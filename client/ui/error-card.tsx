import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/button.tsx'
import { Panel } from '#client/ui/panel.tsx'

export type ErrorCardProps = {
  title: string
  /** What the member can do. */
  text?: string
  /** What else explains the failure. */
  note?: string
  onRetry?: () => void
  retryLabel?: string
  retrying?: boolean
  className?: string
}

/** Reports a failure and offers a retry. */
export function ErrorCard({
  title,
  text,
  note,
  onRetry,
  retryLabel,
  retrying = false,
  className,
}: ErrorCardProps) {
  const { t } = useTranslation()
  return (
    <Panel role="alert" className={className}>
      <div className="flex flex-col items-center gap-3 py-4 text-center">
        <TriangleAlert aria-hidden="true" className="size-7 text-amber" strokeWidth={1.5} />
        <p className="font-medium">{title}</p>
        {text && <p className="text-sm text-balance text-muted">{text}</p>}
        {note && <p className="text-sm text-amber">{note}</p>}
        {onRetry && (
          <Button variant="secondary" onClick={onRetry} busy={retrying} className="mt-1">
            {retryLabel ?? t('tryAgain')}
          </Button>
        )}
      </div>
    </Panel>
  )
}
