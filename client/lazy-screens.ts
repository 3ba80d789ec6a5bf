import type { ComponentType } from 'react'
import { type LazyComponent, lazyComponent } from '#client/first-load/lazy-component.tsx'
import type { Catalogues, ScreenNamespace } from '#client/language/catalogues.ts'
import { loadTexts } from '#client/language/load-texts.ts'

/** The path of a screen, which is the key of its title too. */
type ScreenPath = Exclude<keyof Catalogues['layout']['titles'], 'notFound'>
type Screen = { path: ScreenPath; Screen: LazyComponent<object> }

/** A screen whose code and texts are loaded on its first visit; `name` is its export. */
function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType<object>>>,
  name: Name,
  ...texts: ScreenNamespace[]
): LazyComponent<object> {
  return lazyComponent(async () => {
    const [screen] = await Promise.all([load(), loadTexts(...texts)])
    return screen
  }, name)
}

export const AuthScreen = lazyScreen(
  () => import('./screens/auth/auth-screen.tsx'),
  'AuthScreen',
  'auth',
)

export const ResetPasswordScreen = lazyScreen(
  () => import('./screens/reset-password/reset-password-screen.tsx'),
  'ResetPasswordScreen',
  'auth',
)

export const VerifyScreen = lazyScreen(
  () => import('./screens/verify/verify-screen.tsx'),
  'VerifyScreen',
  'verify',
)

/** The layout around the members' screens. */
export const SignedInLayout = lazyComponent(
  () => import('./layout/signed-in-layout.tsx'),
  'SignedInLayout',
)

/** The screens in the layout for signed-in members. */
export const memberScreens: Screen[] = [
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
    path: '/inbox',
    Screen: lazyScreen(
      () => import('./screens/inbox/inbox-screen.tsx'),
      'InboxScreen',
      'inbox',
      // The devices of sign-ins.
      'account',
    ),
  },
  {
    path: '/swap',
    Screen: lazyScreen(() => import('./screens/swap/swap-screen.tsx'), 'SwapScreen', 'network'),
  },
]

const publicScreens: Screen[] = [
  { path: '/auth', Screen: AuthScreen },
  { path: '/reset-password', Screen: ResetPasswordScreen },
  { path: '/verify', Screen: VerifyScreen },
]

/** A path without a slash at its end. */
export const withoutSlash = (path: string) => path.replace(/(.)\/+$/, '$1')

const screenAt = (screens: Screen[], path: string) =>
  screens.find((one) => one.path === withoutSlash(path))

/** The key of the title of the page at a path; undefined for `/`, which has none. */
export function titleKeyOf(path: string): keyof Catalogues['layout']['titles'] | undefined {
  if (path === '/') return undefined
  return screenAt([...publicScreens, ...memberScreens], path)?.path ?? 'notFound'
}

/** Loads code and texts of the screen at a path, so that its first render is complete. */
export async function preloadScreen(path: string): Promise<void> {
  const ofMembers = screenAt(memberScreens, path)
  if (ofMembers) await Promise.all([SignedInLayout.preload(), ofMembers.Screen.preload()])
  await screenAt(publicScreens, path)?.Screen.preload()
}
