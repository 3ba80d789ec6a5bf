import { Secret, TOTP } from 'otpauth'
import { PASSWORD, type Visitor } from '#gateway/testing/visitor'

const STEP_MS = 30_000

/** An authenticator app with one secret. */
export class AuthenticatorApp {
  private readonly secret: Secret

  constructor(base32: string) {
    this.secret = Secret.fromBase32(base32)
  }

  /** The code of now, or of a number of steps later. */
  code(steps = 0): string {
    return TOTP.generate({ secret: this.secret, timestamp: Date.now() + steps * STEP_MS })
  }
}

/** A member's app and the recovery codes that they were shown. */
export type TurnedOn = { app: AuthenticatorApp; recoveryCodes: string[] }

/**
 * Switches one-time codes on for the signed-in visitor. The code of the step before is used up, so the
 * codes of now and of the next step are unused.
 */
export async function turnOnCodes(visitor: Visitor): Promise<TurnedOn> {
  const body = { password: PASSWORD }
  const { body: setUp } = await visitor.call('POST /api/user/authenticator/set-up', { body })
  const app = new AuthenticatorApp(setUp.secret)
  const confirmed = await visitor.call('POST /api/user/authenticator/confirm', {
    body: { code: app.code(-1) },
  })
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  return { app, recoveryCodes: confirmed.body.recoveryCodes }
}
