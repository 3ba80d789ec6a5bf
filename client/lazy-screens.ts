import { type LazyComponent, lazyComponent } from '#client/first-load/lazy-component.tsx'
import type { Catalogues } from '#client/language/catalogues.ts'

/** The path of a screen, which is the key of its title too. */
type ScreenPath = Exclude<keyof Catalogues['layout']['titles'], 'notFound'>

type Screens = Partial<Record<ScreenPath, LazyComponent<object>>>

export const publicScreens: Screens = {
  '/auth': lazyComponent(() => import('./screens/auth/auth-screen.tsx'), 'AuthScreen', 'auth'),
  '/reset-password': lazyComponent(
    () => import('./screens/reset-password/reset-password-screen.tsx'),
    'ResetPasswordScreen',
    'auth',
  ),
  '/verify': lazyComponent(
    () => import('./screens/verify/verify-screen.tsx'),
    'VerifyScreen',
    'verify',
  ),
}

export const SignedInLayout = lazyComponent(
  () => import('./layout/signed-in-layout.tsx'),
  'SignedInLayout',
)

export const memberScreens: Screens = {
  '/mine': lazyComponent(() => import('./screens/mine/mine-screen.tsx'), 'MineScreen', 'mine'),
  '/wallet': lazyComponent(
    () => import('./screens/wallet/wallet-screen.tsx'),
    'WalletScreen',
    'wallet',
  ),
  '/account': lazyComponent(
    () => import('./screens/account/account-screen.tsx'),
    'AccountScreen',
    'account',
  ),
  '/team': lazyComponent(() => import('./screens/team/team-screen.tsx'), 'TeamScreen', 'team'),
  '/tasks': lazyComponent(() => import('./screens/tasks/tasks-screen.tsx'), 'TasksScreen', 'tasks'),
  '/network': lazyComponent(
    () => import('./screens/network/network-screen.tsx'),
    'NetworkScreen',
    'network',
  ),
  '/inbox': lazyComponent(
    () => import('./screens/inbox/inbox-screen.tsx'),
    'InboxScreen',
    'inbox',
    // The devices of sign-ins.
    'account',
  ),
  '/swap': lazyComponent(() => import('./screens/swap/swap-screen.tsx'), 'SwapScreen', 'network'),
}

export const withoutSlash = (path: string) => path.replace(/(.)\/+$/, '$1')

export function titleKeyOf(path: string): keyof Catalogues['layout']['titles'] | undefined {
  if (path === '/') return undefined
  const screen = withoutSlash(path) as ScreenPath
  return publicScreens[screen] || memberScreens[screen] ? screen : 'notFound'
}

export async function preloadScreen(path: string): Promise<void> {
  const screen = withoutSlash(path) as ScreenPath
  const ofMembers = memberScreens[screen]
  if (ofMembers) await Promise.all([SignedInLayout.preload(), ofMembers.preload()])
  await publicScreens[screen]?.preload()
}
