import { MEMBER_CHUNKS, PUBLIC, START, screenOf } from '#gateway/pages/preloads'

/** Modules of the client that start a part of a page; paths below `client/`. */
export const SCREENS = {
  /** Loaded before every page. */
  entry: 'main.tsx',
  /** Loaded with the first screen of every page. */
  app: START,
  /** Loaded with every screen of a member. */
  member: MEMBER_CHUNKS,
  /** The screen on which a member starts. */
  home: screenOf('/mine'),
  /** The other screens of a member. */
  screens: ['/wallet', '/tasks', '/team', '/network', '/swap', '/account'].map(screenOf),
  /** The screens of visitors. */
  publicScreens: PUBLIC.map(screenOf),
}
