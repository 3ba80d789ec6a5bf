import type { RouteName } from '#contract/routes'
import { ACCOUNT_ROUTES } from './route-facts/account.ts'
import { FACTOR_ROUTES } from './route-facts/factors.ts'
import type { RouteFacts } from './route-facts/facts.ts'
import { MINING_ROUTES } from './route-facts/mining.ts'
import { PRODUCT_ROUTES } from './route-facts/product.ts'
import { REMINDER_ROUTES } from './route-facts/reminders.ts'
import { SIGN_IN_ROUTES } from './route-facts/sign-in.ts'
import { TEAM_ROUTES } from './route-facts/team.ts'
import { WALLET_ROUTES } from './route-facts/wallet.ts'

export type { RouteFacts } from './route-facts/facts.ts'

/** The facts of every route; one that is missing does not compile. */
export const ROUTE_FACTS: { [R in RouteName]: RouteFacts } = {
  ...SIGN_IN_ROUTES,
  ...ACCOUNT_ROUTES,
  ...FACTOR_ROUTES,
  ...MINING_ROUTES,
  ...WALLET_ROUTES,
  ...TEAM_ROUTES,
  ...REMINDER_ROUTES,
  ...PRODUCT_ROUTES,
}
