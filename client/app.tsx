import { Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Ground } from '#client/layout/ground.tsx'
import { AnonymousOnly, SignedInOnly } from '#client/layout/guards.tsx'
import { SkipLink } from '#client/layout/main-region.tsx'
import { PublicLayout } from '#client/layout/public-layout.tsx'
import { useRouteChange } from '#client/layout/use-route-change.ts'
import { WaitingPage } from '#client/layout/waiting.tsx'
import { type LazyComponent, lazyComponent } from '#client/loading/lazy-component.tsx'
import { useLastInput } from '#client/ui/last-input.ts'
import { LateToaster } from '#client/ui/late-toaster.tsx'
import { VersionNotice } from '#client/version/version-notice.tsx'
import { HomeScreen } from './screens/home/home-screen.tsx'
import { NotFoundScreen } from './screens/not-found/not-found-screen.tsx'

type Screen = { path: string; title: string; Screen: LazyComponent<object> }

const AuthScreen = lazyComponent(() => import('./screens/auth/auth-screen.tsx'), 'AuthScreen')

const ResetPasswordScreen = lazyComponent(
  () => import('./screens/reset-password/reset-password-screen.tsx'),
  'ResetPasswordScreen',
)

const SignedInLayout = lazyComponent(
  () => import('./layout/signed-in-layout.tsx'),
  'SignedInLayout',
)

/** The screens in the layout for signed-in members. */
const memberScreens: Screen[] = [
  {
    path: '/mine',
    title: 'Mine',
    Screen: lazyComponent(() => import('./screens/mine/mine-screen.tsx'), 'MineScreen'),
  },
  {
    path: '/wallet',
    title: 'Wallet',
    Screen: lazyComponent(() => import('./screens/wallet/wallet-screen.tsx'), 'WalletScreen'),
  },
  {
    path: '/account',
    title: 'Account',
    Screen: lazyComponent(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
  },
  {
    path: '/team',
    title: 'Team',
    Screen: lazyComponent(() => import('./screens/team/team-screen.tsx'), 'TeamScreen'),
  },
  {
    path: '/tasks',
    title: 'Tasks',
    Screen: lazyComponent(() => import('./screens/tasks/tasks-screen.tsx'), 'TasksScreen'),
  },
  {
    path: '/network',
    title: 'Network',
    Screen: lazyComponent(() => import('./screens/network/network-screen.tsx'), 'NetworkScreen'),
  },
  {
    path: '/swap',
    title: 'Swap',
    Screen: lazyComponent(() => import('./screens/swap/swap-screen.tsx'), 'SwapScreen'),
  },
]

const memberPaths = new RegExp(`^(?:${memberScreens.map(({ path }) => path).join('|')})/?$`)

const publicTitles: Record<string, string> = {
  '/': '',
  '/auth': 'Sign in',
  '/reset-password': 'Reset password',
}

export function titleOf(path: string): string {
  const screen = memberScreens.find((one) => one.path === path)
  return screen?.title ?? publicTitles[path] ?? 'Page not found'
}

/** Loads the code of the screen at a path, so that its first render is complete. */
export async function preloadScreen(path: string): Promise<void> {
  const screen = memberScreens.find((one) => one.path === withoutSlash(path))
  if (screen) await Promise.all([SignedInLayout.preload(), screen.Screen.preload()])
  if (withoutSlash(path) === '/auth') await AuthScreen.preload()
  if (withoutSlash(path) === '/reset-password') await ResetPasswordScreen.preload()
}

const withoutSlash = (path: string) => path.replace(/(.)\/+$/, '$1')

export function App() {
  const [location] = useLocation()
  const path = withoutSlash(location)
  useRouteChange(path, titleOf(path))
  useLastInput()
  return (
    <>
      <SkipLink />
      <Ground />
      <VersionNotice />
      <Switch>
        <Route path="/">
          <SignedInOnly>{() => <HomeScreen />}</SignedInOnly>
        </Route>
        <Route path="/auth">
          <AnonymousOnly>
            <PublicLayout>
              <AuthScreen />
            </PublicLayout>
          </AnonymousOnly>
        </Route>
        <Route path="/reset-password">
          <PublicLayout>
            <ResetPasswordScreen />
          </PublicLayout>
        </Route>
        <Route path={memberPaths}>
          <SignedInOnly>
            {(user) => (
              <Suspense fallback={<WaitingPage />}>
                <SignedInLayout user={user}>
                  <Switch>
                    {memberScreens.map((one) => (
                      <Route key={one.path} path={one.path} component={one.Screen} />
                    ))}
                  </Switch>
                </SignedInLayout>
              </Suspense>
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
