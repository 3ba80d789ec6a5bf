import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'

/** An SMTP server and the mail it received. */
export type Mailbox = {
  smtpUrl: string
  /** Waits for the newest mail to this e-mail address and returns its code; each mail is read once. */
  codeFor(email: string): Promise<string>
  /** Waits until the newest mail to this e-mail address matches; returns the first group. */
  find(email: string, pattern: RegExp): Promise<string>
  /** Waits until the newest mail to this e-mail address contains the text. */
  waitFor(email: string, content: string): Promise<void>
  close(): Promise<void>
}

const WAIT = { timeout: 60_000, interval: 50 }

export async function openMailbox(): Promise<Mailbox> {
  const newest = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, { envelope }, done) {
      text(stream).then((mail) => {
        for (const { address } of envelope.rcptTo) newest.set(address, mail)
        done()
      }, done)
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  const { port } = listening.address() as AddressInfo
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    async codeFor(email) {
      return vi.waitFor(() => {
        const code = /^\s+(\d{6})\s*$/m.exec(newest.get(email) ?? '')?.[1]
        if (!code) throw new Error(`no code arrived for ${email}`)
        newest.delete(email)
        return code
      }, WAIT)
    },
    async find(email, pattern) {
      return vi.waitFor(() => {
        const found = pattern.exec(newest.get(email) ?? '')?.[1]
        if (!found) throw new Error(`no such mail to ${email}`)
        return found
      }, WAIT)
    },
    async waitFor(email, content) {
      await vi.waitFor(() => {
        if (!newest.get(email)?.includes(content)) throw new Error(`no such mail to ${email}`)
      }, WAIT)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
