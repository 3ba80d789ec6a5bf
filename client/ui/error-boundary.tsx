import { Component, type ReactNode } from 'react'
import { ErrorCard } from '#client/ui/error-card.tsx'

/** Keeps a screen that broke, or whose code could not be loaded, from taking the page with it. */
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
