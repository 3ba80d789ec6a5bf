import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './buttons/button.tsx'
import { handOverFocus } from './focus-main.ts'
import { Panel } from './panel.tsx'

type ErrorCardProps = {
  title: string
  text?: string
  note?: string
  onRetry?: () => void
  retryLabel?: string
  /** The card is all of the page, so its title is the page's heading. */
  isPage?: boolean
}

export function ErrorCard(props: ErrorCardProps) {
  const { title, text, note, onRetry, retryLabel, isPage = false } = props
  const { t } = useTranslation()
  const Title = isPage ? 'h1' : 'p'
  return (
    <Panel ref={handOverFocus} role="alert">
      <div className="flex flex-col items-center gap-3 py-4 text-center">
        <TriangleAlert className="size-7 text-amber" strokeWidth={1.5} />
        <Title className="font-sans text-base font-medium tracking-normal">{title}</Title>
        {text && <p className="text-sm text-balance text-muted">{text}</p>}
        {note && <p className="text-sm text-amber">{note}</p>}
        {onRetry && (
          <Button variant="secondary" onClick={onRetry} className="mt-1">
            {retryLabel ?? t('tryAgain')}
          </Button>
        )}
      </div>
    </Panel>
  )
}

/** For one screen or view, including code that could not be loaded. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    return this.state.broken ? <BrokenScreen /> : this.props.children
  }
}

function BrokenScreen() {
  const { t } = useTranslation()
  return (
    <ErrorCard
      title={t('brokenScreen.title')}
      text={t('brokenScreen.text')}
      retryLabel={t('reload')}
      onRetry={() => window.location.reload()}
      isPage
    />
  )
}
