import type { RuleCode } from '#rules/rule-error'
import type { account } from './en/account.ts'
import type { auth } from './en/auth.ts'
import type { firstSteps } from './en/first-steps.ts'
import type { mine } from './en/mine.ts'
import type { network } from './en/network.ts'
import type { common } from './en/shared/common.ts'
import type { layout } from './en/shared/layout.ts'
import type { tasks } from './en/tasks.ts'
import type { team } from './en/team.ts'
import type { verify } from './en/verify.ts'
import type { wallet } from './en/wallet.ts'

/** The English catalogues by namespace; they define the keys of every language. */
export type Catalogues = {
  /** Texts that several screens share: `ui/`, the live connection, commands, offline, version. */
  common: typeof common
  /** Header, navigation, footer, document titles, home and not-found page. */
  layout: typeof layout
  /** Sign-in, registration, e-mail codes and password reset. */
  auth: typeof auth
  mine: typeof mine
  /** The card of a new member on Mine. */
  firstSteps: typeof firstSteps
  wallet: typeof wallet
  team: typeof team
  tasks: typeof tasks
  /** Network and Swap. */
  network: typeof network
  account: typeof account
  verify: typeof verify
  /** The server's messages by error code; the server writes the English ones. */
  errors: Record<RuleCode | 'unavailable', string>
}

export type Namespace = keyof Catalogues

/** Namespaces that are loaded with their screen. */
export type ScreenNamespace = Exclude<Namespace, 'common' | 'layout' | 'errors'>
