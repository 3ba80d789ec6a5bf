import { type ComponentType, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { Route, Switch, useLocation } from 'wouter'
import type { Catalogues, ScreenNamespace } from '#client/language/catalogues.ts'
import { loadTexts } from '#client/language/load-texts.ts'
import { Ground } from '#client/layout/ground.tsx'
import { AnonymousOnly, SignedInOnly } from '#client/layout/guards.tsx'
import { SkipLink } from '#client/layout/main-region.tsx'
import { useRouteChange } from '#client/layout/navigation/use-route-change.ts'
import { PublicLayout } from '#client/layout/public-layout.tsx'
import { SignedInLayout } from '#client/layout/signed-in-layout.tsx'
import { useLastInput } from '#client/ui/last-input.ts'
import { Toaster } from '#client/ui/toast.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'
import { VersionNotice } from '#client/version/version-notice.tsx'
import { HomeScreen } from './screens/home/home-screen.tsx'
import { NotFoundScreen } from './screens/not-found/not-found-screen.tsx'

type Titled = Exclude<keyof Catalogues['layout']['titles'], 'notFound'>
type Screen = { path: Titled; Screen: ComponentType }

/** A screen whose code and texts are loaded on its first visit; `name` is its export. */
function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  ...texts: ScreenNamespace[]
) {
  return lazy(async () => {
    const [screen] = await Promise.all([load(), loadTexts(...texts)])
    return { default: screen[name] }
  })
}

const AuthScreen = lazyScreen(() => import('./screens/auth/auth-screen.tsx'), 'AuthScreen', 'auth')

const ResetPasswordScreen = lazyScreen(
  () => import('./screens/reset-password/reset-password-screen.tsx'),
  'ResetPasswordScreen',
  'auth',
)

const VerifyScreen = lazyScreen(
  () => import('./screens/verify/verify-screen.tsx'),
  'VerifyScreen',
  'verify',
)

/** The screens in the layout for signed-in members. */
const memberScreens: Screen[] = [
  {
    path: '/mine',
    Screen: lazyScreen(() => import('./screens/mine/mine-screen.tsx'), 'MineScreen', 'mine'),
  },
  {
    path: '/wallet',
    Screen: lazyScreen(
      () => import('./screens/wallet/wallet-screen.tsx'),
      'WalletScreen',
      'wallet',
    ),
  },
  {
    path: '/account',
    Screen: lazyScreen(
      () => import('./screens/account/account-screen.tsx'),
      'AccountScreen',
      'account',
    ),
  },
  {
    path: '/team',
    Screen: lazyScreen(() => import('./screens/team/team-screen.tsx'), 'TeamScreen', 'team'),
  },
  {
    path: '/tasks',
    Screen: lazyScreen(() => import('./screens/tasks/tasks-screen.tsx'), 'TasksScreen', 'tasks'),
  },
  {
    path: '/network',
    Screen: lazyScreen(
      () => import('./screens/network/network-screen.tsx'),
      'NetworkScreen',
      'network',
    ),
  },
  {
    path: '/swap',
    Screen: lazyScreen(() => import('./screens/swap/swap-screen.tsx'), 'SwapScreen', 'network'),
  },
]

const memberPaths = new RegExp(`^(?:${memberScreens.map(({ path }) => path).join('|')})/?$`)

const titled: Titled[] = [
  '/auth',
  '/reset-password',
  '/verify',
  ...memberScreens.map(({ path }) => path),
]

function useTitle(path: string): string {
  const { t } = useTranslation('layout')
  if (path === '/') return ''
  return t(`titles.${titled.find((one) => one === path) ?? 'notFound'}`)
}

export function App() {
  const [location] = useLocation()
  const path = location.replace(/(.)\/+$/, '$1')
  useRouteChange(path, useTitle(path))
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
        <Route path="/verify">
          <PublicLayout>
            <VerifyScreen />
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
