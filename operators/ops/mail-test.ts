import { mailTexts } from '#db/mail-texts/mail-texts'
import { NETWORK_NAME } from '#rules/constants'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { dkimKey, openTransport } from '#workers/mail-transport'
import { type ActCommand, argument } from './command.ts'
import { senderProblems } from './mail-dns.ts'

const LIMIT_MS = 10_000

type SmtpError = { code?: string; command?: string; responseCode?: number; message: string }

const TLS_TEXT = /certificate|wrong version number|ssl|tls|self.signed/i

/** What is wrong with the mail server, in words an operator can act on. */
export function problemOf({ code = '', command = '', message }: SmtpError): string {
  if (code === 'EAUTH')
    return `The server refuses the user name or the password of SMTP_URL (${message})`
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message))
    return `DNS knows no such mail server (${message})`
  if (code === 'ETLS' || TLS_TEXT.test(message)) {
    return `TLS fails: smtps:// is for port 465, smtp:// for 587 and 25 (${message})`
  }
  if (code === 'EENVELOPE' && /MAIL FROM/.test(command))
    return `The server refuses the sender in MAIL_FROM (${message})`
  if (code === 'EENVELOPE') return `The server refuses the recipient (${message})`
  if (code === 'ETIMEDOUT' || /timeout/i.test(message))
    return `The server does not answer within 10 s (${message})`
  if (/ECONNREFUSED|ECONNRESET|EHOSTUNREACH/.test(message))
    return `Nothing accepts connections there (${message})`
  return message
}

async function transportOf(config: Config) {
  if (!config.smtpUrl) throw new RuleError('bad_input', 'SMTP_URL is not set')
  const limits = { connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS }
  return openTransport(config.smtpUrl, dkimKey(config), limits)
}

/** Connects and signs in; undefined if the server agrees. */
export async function mailProblem(config: Config): Promise<string | undefined> {
  const transport = await transportOf(config)
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return problemOf(error as SmtpError)
  } finally {
    transport.close()
  }
}

/** What receivers will miss in DNS, as lines below the result. */
const dnsLines = (config: Config): Promise<string> =>
  senderProblems(config).then(
    (problems) => problems.map((problem) => `\nReceivers may distrust it: ${problem}`).join(''),
    (error) => `\nThe records of the sender in DNS were not checked: ${error.message}`,
  )

/** Sends past the queue, so that the answer of the server is known at once. */
export const mailTest: ActCommand = {
  takes: '<address>',
  does: 'sends a test mail at once and looks at SPF, DKIM and DMARC; a failure says within 10 s what is wrong',
  usualReason: 'test of the mail server',
  act: async (call) => {
    const to = argument(call)
    const { config } = call
    const transport = await transportOf(config)
    const dns = dnsLines(config)
    return {
      asks: `Send a test mail from ${config.mailFrom} to ${to}?`,
      run: async () => ({
        says: `The mail server has accepted a mail to ${to}. Look for it, in the spam folder too.${await dns}`,
        details: { domain: to.replace(/^.*@/, '') },
        async after() {
          const mail = mailTexts('en').test(config.publicOrigins[0] ?? NETWORK_NAME)
          try {
            await transport.sendMail({ from: config.mailFrom, to, ...mail })
          } catch (error) {
            throw new RuleError('bad_input', problemOf(error as SmtpError))
          } finally {
            transport.close()
          }
        },
      }),
    }
  },
}
