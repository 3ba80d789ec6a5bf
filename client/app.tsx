import { type ComponentType, lazy } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Ground } from '#client/layout/ground.tsx'
import { AnonymousOnly, SignedInOnly } from '#client/layout/guards.tsx'
import { SkipLink } from '#client/layout/main-region.tsx'
import { PublicLayout } from '#client/layout/public-layout.tsx'
import { SignedInLayout } from '#client/layout/signed-in-layout.tsx'
import { useRouteChange } from '#client/layout/use-route-change.ts'
import { Toaster } from '#client/ui/toast.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'
import { VersionNotice } from '#client/version/version-notice.tsx'
import { HomeScreen } from './screens/home/home-screen.tsx'
import { NotFoundScreen } from './screens/not-found/not-found-screen.tsx'

type Screen = { path: string; title: string; Screen: ComponentType }

const AuthScreen = lazy(async () => {
  const { AuthScreen } = await import('./screens/auth/auth-screen.tsx')
  return { default: AuthScreen }
})

const ResetPasswordScreen = lazy(async () => {
  const { ResetPasswordScreen } = await import('./screens/reset-password/reset-password-screen.tsx')
  return { default: ResetPasswordScreen }
})

/** The screens inside the layout for members. */
const memberScreens: Screen[] = [
  {
    path: '/mine',
    title: 'Mine',
    Screen: lazy(async () => {
      const { MineScreen } = await import('./screens/mine/mine-screen.tsx')
      return { default: MineScreen }
    }),
  },
  {
    path: '/wallet',
    title: 'Wallet',
    Screen: lazy(async () => {
      const { WalletScreen } = await import('./screens/wallet/wallet-screen.tsx')
      return { default: WalletScreen }
    }),
  },
  {
    path: '/account',
    title: 'Account',
    Screen: lazy(async () => {
      const { AccountScreen } = await import('./screens/account/account-screen.tsx')
      return { default: AccountScreen }
    }),
  },
  {
    path: '/team',
    title: 'Team',
    Screen: lazy(async () => {
      const { TeamScreen } = await import('./screens/team/team-screen.tsx')
      return { default: TeamScreen }
    }),
  },
  {
    path: '/tasks',
    title: 'Tasks',
    Screen: lazy(async () => {
      const { TasksScreen } = await import('./screens/tasks/tasks-screen.tsx')
      return { default: TasksScreen }
    }),
  },
  {
    path: '/network',
    title: 'Network',
    Screen: lazy(async () => {
      const { NetworkScreen } = await import('./screens/network/network-screen.tsx')
      return { default: NetworkScreen }
    }),
  },
  {
    path: '/swap',
    title: 'Swap',
    Screen: lazy(async () => {
      const { SwapScreen } = await import('./screens/swap/swap-screen.tsx')
      return { default: SwapScreen }
    }),
  },
]

const memberPaths = new RegExp(`^(?:${memberScreens.map(({ path }) => path).join('|')})/?$`)

const otherTitles: Record<string, string> = {
  '/': '',
  '/auth': 'Sign in',
  '/reset-password': 'Reset password',
}

function titleOf(path: string): string {
  const screen = memberScreens.find((one) => one.path === path)
  return screen?.title ?? otherTitles[path] ?? 'Page not found'
}

export function App() {
  const [location] = useLocation()
  const path = location.replace(/(.)\/+$/, '$1')
  useRouteChange(path, titleOf(path))
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
