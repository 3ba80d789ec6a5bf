import { SMTPServer } from 'smtp-server'
import { freePort } from '#db/process/free-port'

/** A real SMTP server that keeps what it takes. */
export type MailServer = {
  url: string
  mails: string[]
  /** What it answers to each mail; nothing where it takes them. */
  refuse: { responseCode: number; message: string } | undefined
  start(): Promise<void>
  stop(): Promise<void>
}

/** Makes one that does not listen yet: its port is refused until `start`. */
export async function mailServer(): Promise<MailServer> {
  const port = await freePort()
  let server: SMTPServer | undefined
  const made: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    refuse: undefined,
    start: () =>
      new Promise((resolve, reject) => {
        server = new SMTPServer({
          authOptional: true,
          closeTimeout: 50,
          disabledCommands: ['STARTTLS'],
          onData(stream, _session, done) {
            let text = ''
            stream.on('data', (chunk) => {
              text += chunk
            })
            stream.on('end', () => {
              const { refuse } = made
              if (refuse) {
                const { responseCode, message } = refuse
                return done(Object.assign(new Error(message), { responseCode }))
              }
              made.mails.push(text)
              done()
            })
          },
        })
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => resolve())
      }),
    stop: () =>
      new Promise((resolve) => {
        if (!server) return resolve()
        server.close(() => resolve())
        server = undefined
      }),
  }
  return made
}
