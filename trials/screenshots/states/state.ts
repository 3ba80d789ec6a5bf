import type { Page } from 'playwright-core'
import type { RouteName } from '#contract/routes'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import type { RuleCode } from '#rules/rule-error'

/** Three of the demo data, and those of `seedMembers`. */
export const MEMBERS = [
  'demo',
  'demo-ada',
  'demo-new',
  'demo-finished',
  'demo-rich',
  'demo-leader',
  'demo-frozen',
] as const

export type MemberName = (typeof MEMBERS)[number]

export const LEADER_CODE = 'TESPLEAD26'

/** How a request is answered instead of by the product: with this JSON, or not at all. */
export type Stub = { status?: number; json: unknown } | 'never'

/** A state of a screen, reached as a member reaches it. Nothing here changes data of the product. */
export type State = {
  screen: string
  state: string
  path: string
  as?: MemberName
  stubs?: Partial<Record<RouteName, Stub>>
  /** Presses and types. Finds elements by role, order and name of fields: words differ by language. */
  act?: (page: Page) => Promise<void>
  /** Skeletons are part of the picture: the screen has no data, or the page does not know its member. */
  loading?: 'screen' | 'page'
  /** The shell is painted, its code is not loaded. */
  shell?: true
  /** The browser's text is at 200 %. */
  largeText?: true
  withoutSocket?: true
  /** The browser shows notifications, which nobody was asked about yet. */
  canPush?: true
  whole?: true
}

export const nameOf = ({ screen, state }: State) => `${screen}-${state}`

export const OK = { json: { ok: true, success: true, message: 'OK' } }

export const refused = (status: number, message: string, code?: RuleCode): Stub => ({
  status,
  json: { message, code },
})

export const FAILS = refused(500, 'Something went wrong')

export const app = (more: object): Stub => ({
  json: { flags: [], minimumVersion: null, taskLinks: {}, ...more },
})

const statesFor =
  (common: Pick<State, 'as'>) =>
  (screen: string, path: string, states: Record<string, Partial<State>>): State[] =>
    Object.entries(states).map(([state, own]) => ({ screen, state, path, ...common, ...own }))

/** States of a screen for visitors, or for the demo member; each may have another path or member. */
export const visitorStates = statesFor({})
export const memberStates = statesFor({ as: 'demo' })

/** States of every screen that reads data when it opens; `route` is the read. */
export const ofReading = (route: RouteName): Record<string, Partial<State>> => ({
  shell: { shell: true },
  'large-text': { largeText: true, whole: true },
  loading: { loading: 'screen', stubs: { [route]: 'never' } },
  error: { stubs: { [route]: FAILS } },
})

export const reminders = (more: Partial<ReminderSettings>): { json: ReminderSettings } => ({
  json: {
    mail: false,
    team: { on: false, inviter: null, blocked: false },
    kinds: ['session'],
    pushKey: 'AAAA',
    devices: [],
    ...more,
  },
})
