import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { freePort } from '#runtime/config/free-port'

/** A real SMTP server that collects the accepted mails. */
export type MailServer = {
  url: string
  mails: string[]
  /** Rejection of each mail; undefined accepts them. */
  rejection: { responseCode: number; message: string } | undefined
  /** Rejection of each recipient; undefined accepts them. */
  recipientRejection: { responseCode: number; message: string } | undefined
  /** The only password that is accepted; undefined accepts mails without a sign-in. */
  password: string | undefined
  start(): Promise<void>
  stop(): Promise<void>
}

/** Creates a stopped server: connections to its port, by default a free one, are refused until `start`. */
export async function mailServer(fixedPort?: number, host = '127.0.0.1'): Promise<MailServer> {
  const port = fixedPort ?? (await freePort())
  let server: SMTPServer | undefined
  const instance: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    rejection: undefined,
    recipientRejection: undefined,
    password: undefined,
    start: () =>
      new Promise((resolve, reject) => {
        server = new SMTPServer({
          authOptional: instance.password === undefined,
          allowInsecureAuth: true,
          onAuth({ username, password }, _session, done) {
            if (password === instance.password) done(null, { user: username ?? '' })
            else done(new Error('wrong password'))
          },
          closeTimeout: 50,
          disabledCommands: ['STARTTLS'],
          onRcptTo(_address, _session, done) {
            const { recipientRejection: rejection } = instance
            if (!rejection) return done()
            const { responseCode, message } = rejection
            done(Object.assign(new Error(message), { responseCode }))
          },
          onData(stream, _session, done) {
            text(stream).then((mail) => {
              const { rejection } = instance
              if (rejection) {
                const { responseCode, message } = rejection
                return done(Object.assign(new Error(message), { responseCode }))
              }
              instance.mails.push(mail)
              done()
            }, done)
          },
        })
        server.once('error', reject)
        server.listen(port, host, () => resolve())
      }),
    stop: () =>
      new Promise((resolve) => {
        if (!server) return resolve()
        server.close(() => resolve())
        server = undefined
      }),
  }
  return instance
}
