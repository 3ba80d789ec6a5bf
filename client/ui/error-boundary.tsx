import { Component, type ReactNode } from 'react'
import { ErrorCard } from '#client/ui/error-card.tsx'

/** Contains the failure of one screen, including code that could not be loaded. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <ErrorCard
        title="This screen could not be shown"
        text="Check your connection, then load the page again."
        retryLabel="Reload"
        onRetry={() => window.location.reload()}
      />
    )
  }
}
