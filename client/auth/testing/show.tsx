import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Provider } from 'jotai'
import type { ReactNode } from 'react'
import { queryClient, store } from '#client/data.ts'
import { clearToast, Toaster } from '#client/ui/toast.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'

/** Forgets what an earlier test left behind and stands at that address. */
export function standAt(path: string): void {
  queryClient.clear()
  clearToast()
  window.history.replaceState(null, '', path)
}

/** Shows it with what the app puts around everything. */
export function show(content: ReactNode) {
  render(
    <Provider store={store}>
      <TooltipProvider>
        {content}
        <Toaster />
      </TooltipProvider>
    </Provider>,
  )
  return userEvent.setup({ delay: null })
}
