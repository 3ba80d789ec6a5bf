import type { CDPSession, Page } from 'playwright-core'

/** A passkey as Chromium's virtual authenticator stores it. */
export type VirtualPasskey = Awaited<ReturnType<VirtualAuthenticator['passkeys']>>[number]

/** The virtual authenticator of a page; it verifies its user without asking. */
export class VirtualAuthenticator {
  private constructor(
    private readonly session: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  static async of(page: Page): Promise<VirtualAuthenticator> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new VirtualAuthenticator(session, authenticatorId)
  }

  async passkeys() {
    const { authenticatorId } = this
    return (await this.session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  }

  /** Replaces what the authenticator holds; a lower `signCount` makes it a copy. */
  async hold(passkeys: VirtualPasskey[]): Promise<void> {
    const { authenticatorId } = this
    await this.session.send('WebAuthn.clearCredentials', { authenticatorId })
    for (const credential of passkeys) {
      await this.session.send('WebAuthn.addCredential', { authenticatorId, credential })
    }
  }
}
