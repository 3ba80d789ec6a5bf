import { Provider } from 'jotai'
import { StrictMode } from 'react'
import { App } from './app.tsx'
import { store } from './data/member-data.ts'

/** The whole app; the build renders the same element to HTML. */
export function Root() {
  return (
    <StrictMode>
      <Provider store={store}>
        <App />
      </Provider>
    </StrictMode>
  )
}
