import { Provider } from 'jotai'
import { StrictMode } from 'react'
import { Router } from 'wouter'
import { App } from './app.tsx'
import { store } from './data/member-data.ts'
import { crossfade } from './layout/view-transitions.ts'

/** The whole app; the build renders the same element to HTML. */
export function Root() {
  return (
    <StrictMode>
      <Provider store={store}>
        <Router aroundNav={crossfade}>
          <App />
        </Router>
      </Provider>
    </StrictMode>
  )
}
