import { type ComponentType, lazy } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Ground } from '#client/layout/ground.tsx'
import { AnonymousOnly, SignedInOnly } from '#client/layout/guards.tsx'
import { SkipLink } from '#client/layout/main-region.tsx'
import { PublicLayout } from '#client/layout/public-layout.tsx'
import { SignedInLayout } from '#client/layout/signed-in-layout.tsx'
import { useRouteChange } from '#client/layout/use-route-change.ts'
import { useLastInput } from '#client/ui/last-input.ts'
import { Toaster } from '#client/ui/toast.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'
import { VersionNotice } from '#client/version/version-notice.tsx'
import { HomeScreen } from './screens/home/home-screen.tsx'
import { NotFoundScreen } from './screens/not-found/not-found-screen.tsx'

type Screen = { path: string; title: string; Screen: ComponentType }

/** A screen whose code is loaded on its first visit; `name` is its export. */
function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] }))
}

const AuthScreen = lazyScreen(() => import('./screens/auth/auth-screen.tsx'), 'AuthScreen')

const ResetPasswordScreen = lazyScreen(
  () => import('./screens/reset-password/reset-password-screen.tsx'),
  'ResetPasswordScreen',
)

/** The screens in the layout for signed-in members. */
const memberScreens: Screen[] = [
  {
    path: '/mine',
    title: 'Mine',
    Screen: lazyScreen(() => import('./screens/mine/mine-screen.tsx'), 'MineScreen'),
  },
  {
    path: '/wallet',
    title: 'Wallet',
    Screen: lazyScreen(() => import('./screens/wallet/wallet-screen.tsx'), 'WalletScreen'),
  },
  {
    path: '/account',
    title: 'Account',
    Screen: lazyScreen(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
  },
  {
    path: '/team',
    title: 'Team',
    Screen: lazyScreen(() => import('./screens/team/team-screen.tsx'), 'TeamScreen'),
  },
  {
    path: '/tasks',
    title: 'Tasks',
    Screen: lazyScreen(() => import('./screens/tasks/tasks-screen.tsx'), 'TasksScreen'),
  },
  {
    path: '/network',
    title: 'Network',
    Screen: lazyScreen(() => import('./screens/network/network-screen.tsx'), 'NetworkScreen'),
  },
  {
    path: '/swap',
    title: 'Swap',
    Screen: lazyScreen(() => import('./screens/swap/swap-screen.tsx'), 'SwapScreen'),
  },
]

const memberPaths = new RegExp(`^(?:${memberScreens.map(({ path }) => path).join('|')})/?$`)

const publicTitles: Record<string, string> = {
  '/': '',
  '/auth': 'Sign in',
  '/reset-password': 'Reset password',
}

function titleOf(path: string): string {
  const screen = memberScreens.find((one) => one.path === path)
  return screen?.title ?? publicTitles[path] ?? 'Page not found'
}

export function App() {
  const [location] = useLocation()
  const path = location.replace(/(.)\/+$/, '$1')
  useRouteChange(path, titleOf(path))
  useLastInput()
  return (
    <TooltipProvider>
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
              <SignedInLayout user={user}>
                <Switch>
                  {memberScreens.map((one) => (
                    <Route key={one.path} path={one.path} component={one.Screen} />
                  ))}
                </Switch>
              </SignedInLayout>
            )}
          </SignedInOnly>
        </Route>
        <Route>
          <NotFoundScreen />
        </Route>
      </Switch>
      <Toaster />
    </TooltipProvider>
  )
}
