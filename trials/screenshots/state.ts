import type { Page } from 'playwright-core'
import type { RouteName } from '#contract/routes'
import type { MemberName } from './member-names.ts'

/** How a request is answered instead of by the product: with this JSON, or not at all. */
export type Stub = { status?: number; json: unknown } | 'never'

/** A state of a screen, reached the way a member reaches it. Nothing here changes data of the product. */
export type State = {
  screen: string
  state: string
  path: string
  /** Who is signed in; absent for a visitor. */
  as?: MemberName
  stubs?: Partial<Record<RouteName, Stub>>
  /** Presses and types. Finds elements by role, order and name of fields: words differ by language. */
  act?: (page: Page) => Promise<void>
  /** Skeletons are part of the picture: the screen has no data, or the page does not know its member. */
  loading?: 'screen' | 'page'
  /** The shell of the page is painted and its code is not loaded. */
  shell?: true
  /** The member has set the browser's text to 200 %. */
  largeText?: true
  /** The browser cannot open a WebSocket. */
  withoutSocket?: true
  /** Writes the whole page too. */
  whole?: true
}

/** File name of a state, without its extension. */
export const nameOf = ({ screen, state }: State) => `${screen}-${state}`
