import { SMTPServer } from 'smtp-server'

/** A mail server on this machine that keeps what the workers send. */
export type Mailbox = {
  mails: string[]
  close(): Promise<void>
}

/** Listens on every interface: containers reach this machine at an address of their network. */
export function openMailbox(port: number): Promise<Mailbox> {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        mails.push(text)
        done()
      })
    },
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '0.0.0.0', () =>
      resolve({ mails, close: () => new Promise((closed) => server.close(() => closed())) }),
    )
  })
}
