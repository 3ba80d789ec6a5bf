import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorCard } from '#client/ui/states/error-card.tsx'

/** Contains the failure of one screen, including code that could not be loaded. */
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
