import { Secret, TOTP } from 'otpauth'
import { PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const STEP_MS = 30_000

/** The code of a step, which is the number of 30-second periods since 1970. */
export function codeOf(secret: Buffer, step: number): string {
  const buffer = new Uint8Array(secret).buffer
  return TOTP.generate({ secret: new Secret({ buffer }), timestamp: step * STEP_MS })
}

/** An authenticator app with one secret. */
export class AuthenticatorApp {
  private readonly secret: Secret
  private readonly now: () => number

  constructor(base32: string, now = Date.now) {
    this.secret = Secret.fromBase32(base32)
    this.now = now
  }

  /** The code of now, or of a number of steps later. */
  code(steps = 0): string {
    return TOTP.generate({ secret: this.secret, timestamp: this.now() + steps * STEP_MS })
  }

  /** A code that the server accepts for 30 s from the call, for tests that have taken long. */
  lateCode(): string {
    return TOTP.generate({ secret: this.secret, timestamp: Date.now() + STEP_MS })
  }
}

/** A member's app and the recovery codes that they were shown. */
export type TurnedOn = { app: AuthenticatorApp; recoveryCodes: string[] }

/**
 * Switches one-time codes on for the signed-in visitor. The clock of the app is one step ahead, which the
 * server accepts, and stands still: its code before is used up, its code of now is unused, and no
 * step that begins during a test changes them. The server accepts them for at least 30 s.
 */
export async function turnOnCodes(visitor: Visitor): Promise<TurnedOn> {
  const body = { password: PASSWORD }
  const { body: setUp } = await visitor.call('POST /api/user/authenticator/set-up', { body })
  const now = Date.now() + STEP_MS
  const app = new AuthenticatorApp(setUp.secret, () => now)
  const confirmed = await visitor.call('POST /api/user/authenticator/confirm', {
    body: { code: app.code(-1) },
  })
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  return { app, recoveryCodes: confirmed.body.recoveryCodes }
}

/** A code that the app does not show within two steps of now. */
export const wrongCode = (app: AuthenticatorApp) =>
  ['000000', '111111', '222222', '333333'].find(
    (code) => ![-2, -1, 0, 1, 2].some((step) => app.code(step) === code),
  ) ?? ''
