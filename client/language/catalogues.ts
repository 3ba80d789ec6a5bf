import type { RuleCode } from '#rules/rule-error'

/** The English catalogues by namespace; they define the keys of every language. */
export type Catalogues = {
  /** Texts that several screens share: `ui/`, the live connection, commands, offline, version. */
  common: typeof import('./en/common-and-layout.ts').common
  /** Header, navigation, footer, document titles, home and not-found page. */
  layout: typeof import('./en/common-and-layout.ts').layout
  auth: typeof import('./en/auth.ts').auth
  mine: typeof import('./en/mine.ts').mine
  /** The card of a new member on Mine. */
  firstSteps: typeof import('./en/first-steps.ts').firstSteps
  wallet: typeof import('./en/wallet.ts').wallet
  earnings: typeof import('./en/earnings.ts').earnings
  team: typeof import('./en/team.ts').team
  weekBoards: typeof import('./en/week-boards.ts').weekBoards
  tasks: typeof import('./en/tasks.ts').tasks
  /** Network and Swap. */
  network: typeof import('./en/network.ts').network
  account: typeof import('./en/account.ts').account
  verify: typeof import('./en/verify.ts').verify
  /** The inbox and the banner of an announcement. */
  inbox: typeof import('./en/inbox.ts').inbox
  /** The server's messages by error code; the server writes the English ones. */
  errors: Record<RuleCode | 'unavailable', string>
}

type Namespace = keyof Catalogues

/** Namespaces that are loaded with their screen. */
export type ScreenNamespace = Exclude<Namespace, 'common' | 'layout' | 'errors'>

/** The keys of the English catalogue, without `_one` of plurals: Vietnamese has only `_other`. */
export type Translation<English> = {
  readonly [Key in keyof English as Key extends `${string}_one`
    ? never
    : Key]: English[Key] extends string ? string : Translation<English[Key]>
}

declare module 'i18next' {
  /** Makes unknown keys, and calls without their variables, type errors. */
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Catalogues
    strictInterpolationChecks: true
  }
}
