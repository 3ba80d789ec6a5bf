import type { SignedIn } from '#operators/actions/operator-sign-ins'
import type { OpsCall } from '#operators/ops/command'
import type { Value } from './html.ts'
import type { ConsoleServices } from './http.ts'

/** Also the call of a `list` or `show` command of `npm run ops`. */
export type PageRequest = ConsoleServices &
  OpsCall & {
    operator: SignedIn
    /** Path and query of the request: where an action leads back to. */
    path: string
    param(name: string): string
    query(name: string): string
  }

/** A page that others link to, or a file with its own policy. */
export type Linked =
  | { title: string; content: Value }
  | { bytes: Buffer; mime: string; policy: string }
