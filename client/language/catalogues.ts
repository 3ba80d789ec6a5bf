import type { RuleCode } from '#rules/rule-error'
import type { account } from './en/account.ts'
import type { auth } from './en/auth.ts'
import type { common, layout } from './en/common-and-layout.ts'
import type { earnings } from './en/earnings.ts'
import type { firstSteps } from './en/first-steps.ts'
import type { inbox } from './en/inbox.ts'
import type { mine } from './en/mine.ts'
import type { network } from './en/network.ts'
import type { tasks } from './en/tasks.ts'
import type { team } from './en/team.ts'
import type { verify } from './en/verify.ts'
import type { wallet } from './en/wallet.ts'
import type { weekBoards } from './en/week-boards.ts'

/** The English catalogues by namespace; they define the keys of every language. */
export type Catalogues = {
  /** Texts that several screens share: `ui/`, the live connection, commands, offline, version. */
  common: typeof common
  /** Header, navigation, footer, document titles, home and not-found page. */
  layout: typeof layout
  auth: typeof auth
  mine: typeof mine
  /** The card of a new member on Mine. */
  firstSteps: typeof firstSteps
  wallet: typeof wallet
  earnings: typeof earnings
  team: typeof team
  weekBoards: typeof weekBoards
  tasks: typeof tasks
  /** Network and Swap. */
  network: typeof network
  account: typeof account
  verify: typeof verify
  /** The inbox and the banner of an announcement. */
  inbox: typeof inbox
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
