import { Provider } from 'jotai'
import { type ComponentType, Fragment, StrictMode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Route, Router, Switch, useLocation } from 'wouter'
import { AnonymousOnly, SignedInOnly } from '#client/layout/guards.tsx'
import { PageBackground } from '#client/layout/page-background.tsx'
import { PublicLayout } from '#client/layout/public-layout.tsx'
import { VersionNotice } from '#client/offline/version-notice.tsx'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { toastAtom } from '#client/ui/toasts/toast.ts'
import { store } from './data/query-cache.ts'
import { whenIdle } from './first-load/when-idle.ts'
import { SkipLink, useRouteChange, WaitingPage } from './layout/page.tsx'
import { crossfade } from './layout/view-transitions.ts'
import {
  memberScreens,
  publicScreens,
  SignedInLayout,
  titleKeyOf,
  withoutSlash,
} from './lazy-screens.ts'
import { HomeScreen } from './screens/home-screen.tsx'
import { NotFoundScreen } from './screens/not-found-screen.tsx'

const memberPaths = new RegExp(`^(?:${Object.keys(memberScreens).join('|')})/?$`)

export function App() {
  const { t } = useTranslation('layout')
  const [location] = useLocation()
  const path = withoutSlash(location)
  const title = titleKeyOf(path)
  useRouteChange(path, title ? t(`titles.${title}`) : '')
  useLastInput()
  return (
    <>
      <SkipLink />
      <PageBackground />
      <VersionNotice />
      <Switch>
        <Route path="/">
          <SignedInOnly>{() => <HomeScreen />}</SignedInOnly>
        </Route>
        {Object.entries(publicScreens).map(([path, Screen]) => {
          const Guard = path === '/auth' ? AnonymousOnly : Fragment
          return (
            <Route key={path} path={path}>
              <Guard>
                <PublicLayout>
                  <Screen />
                </PublicLayout>
              </Guard>
            </Route>
          )
        })}
        <Route path={memberPaths}>
          <SignedInOnly>
            {(user) => (
              <ErrorBoundary>
                <Suspense fallback={<WaitingPage />}>
                  <SignedInLayout user={user}>
                    <Switch>
                      {Object.entries(memberScreens).map(([path, Screen]) => (
                        <Route key={path} path={path} component={Screen} />
                      ))}
                    </Switch>
                  </SignedInLayout>
                </Suspense>
              </ErrorBoundary>
            )}
          </SignedInOnly>
        </Route>
        <Route>
          <NotFoundScreen />
        </Route>
      </Switch>
      <LateToaster />
    </>
  )
}

/** Loaded when the page is idle, or with the first toast; each toast loads it again if that failed. */
function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType>()
  useEffect(() => {
    if (Toaster) return
    const load = () => {
      import('./ui/toasts/toaster.tsx').then(
        (module) => setToaster(() => module.Toaster),
        () => {},
      )
    }
    void whenIdle().then(load)
    return store.sub(toastAtom, load)
  }, [Toaster])
  return Toaster && <Toaster />
}

/** The build renders the same element to HTML. */
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

function onInput({ type }: Event) {
  document.documentElement.dataset.input = type === 'keydown' ? 'keyboard' : 'pointer'
}

/** Browsers show a focus ring when a script moves the focus after a tap; theme/base.css hides it by this mark. */
function useLastInput(): void {
  useEffect(() => {
    window.addEventListener('pointerdown', onInput, true)
    window.addEventListener('keydown', onInput, true)
  }, [])
}
