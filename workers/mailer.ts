import type { Transporter } from 'nodemailer'
import type { StoredMail } from '#db/mails'
import { unsubscribeUrl } from '#db/reminders/mail-reminders'
import type { Config } from '#runtime/config/config'
import { dkimKey, domainOfSender, openTransport } from './mail-transport.ts'

/** `keepsText`: there is no SMTP server, and the development outbox shows the texts. */
export type Mailer = {
  keepsText: boolean
  send(mail: StoredMail): Promise<void>
  close(): void
}

/** Mail programs offer a button that posts to the link (RFC 2369, RFC 8058). */
const unsubscribeHeaders = (config: Config, memberId: number) => ({
  'List-Unsubscribe': `<${unsubscribeUrl(config, memberId)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

function smtpMailer(smtpUrl: string, config: Config): Mailer {
  const { mailFrom: from } = config
  // Read at the start, so that a wrong file does not wait for the first mail.
  const dkim = dkimKey(config)
  let opening: Promise<Transporter> | undefined
  // Loaded with the first mail: a process that sends none does not need it in memory.
  const open = () =>
    openTransport(smtpUrl, dkim, {
      pool: true,
      maxConnections: 4,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      // Some servers look into a mail before they accept it; a second try would send it twice.
      socketTimeout: 60_000,
    })
  return {
    keepsText: false,
    async send({ id, to, subject, text, html, unsubscribes }) {
      const messageId = `<mail-${id}@${domainOfSender(from)}>`
      opening ??= open()
      const transport = await opening
      const headers = unsubscribes === undefined ? {} : unsubscribeHeaders(config, unsubscribes)
      await transport.sendMail({ from, to, subject, text, html, messageId, headers })
    },
    close: () => void opening?.then((transport) => transport.close()),
  }
}

const outboxMailer: Mailer = {
  keepsText: true,
  async send({ to, subject, text }) {
    process.stdout.write(`\n── Mail to ${to}: ${subject}\n${text}\n──\n`)
  },
  close: () => {},
}

export function createMailer(config: Config): Mailer {
  return config.smtpUrl ? smtpMailer(config.smtpUrl, config) : outboxMailer
}
