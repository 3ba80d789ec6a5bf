import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** Mails that the workers sent. */
export type Mailbox = {
  /** Text of a mail to this address; undefined if none has arrived. */
  textTo(email: string): Promise<string | undefined>
  close(): Promise<void>
}

/** Text of a mail without its headers. */
const bodyOf = (mail: string) =>
  mail
    .split(/\r?\n\r?\n/)
    .slice(1)
    .join('\n')

/** A mail server on this machine. Listens on every interface: containers reach this machine at an address of their network. */
export function openMailbox(port: number): Promise<Mailbox> {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      text(stream).then((mail) => {
        mails.push(mail)
        done()
      }, done)
    },
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '0.0.0.0', () =>
      resolve({
        async textTo(email) {
          const mail = mails.find((one) => one.includes(`To: ${email}`))
          return mail && bodyOf(mail)
        },
        close: () => new Promise((closed) => server.close(() => closed())),
      }),
    )
  })
}
