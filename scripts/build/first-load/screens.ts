const screen = (name: string) => `screens/${name}/${name}-screen.tsx`

/** Modules of the client that start a part of a page; paths below `client/`. */
export const SCREENS = {
  /** Loaded before every page. */
  entry: 'main.tsx',
  /** Loaded with the first screen of every page. */
  app: 'start.tsx',
  /** Loaded with every screen of a member. */
  member: ['member-features.ts', 'layout/signed-in-layout.tsx'],
  /** The screen on which a member starts. */
  home: screen('mine'),
  /** The other screens of a member. */
  screens: ['wallet', 'tasks', 'team', 'network', 'swap', 'account'].map(screen),
  /** The screens of visitors. */
  publicScreens: ['auth', 'reset-password', 'verify'].map(screen),
}
