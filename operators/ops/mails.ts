import { mailTexts } from '#db/mail-texts/mail-texts'
import { allowAddress, REFUSAL_DAYS, refusedAddresses } from '#db/members/refused-addresses'
import { type ActionDetails, notFound, refuse } from '#operators/actions/action-log'
import {
  failedBySubject,
  failedMails,
  retryMails,
  waitingMails,
} from '#operators/actions/background-work'
import { NETWORK_NAME } from '#rules/constants'
import { emailKey } from '#rules/members/usernames-and-emails'
import type { Config } from '#runtime/config/config'
import { dkimKey, openTransport } from '#workers/mail-transport'
import { acting, argument, newest, type OpsCommand, wholeNumber } from './command.ts'
import { senderProblems } from './mail-dns.ts'

const SHOWN_MAILS = 50
/** Names in `mail retry` every failed mail that is worth it. */
export const ALL_MAILS = '@all'
/** Mails of a retry that the log names. */
const LOGGED_IDS = 100

function chosenMails(args: string[]): number[] | 'all' {
  if (args.length === 1 && args[0] === ALL_MAILS) return 'all'
  return args.map((arg) => wholeNumber(arg, 'A mail'))
}

const LIMIT_MS = 10_000

type SmtpError = { code?: string; command?: string; responseCode?: number; message: string }

const TLS_TEXT = /certificate|wrong version number|ssl|tls|self.signed/i

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
  if (!config.smtpUrl) refuse('SMTP_URL is not set')
  const limits = { connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS }
  return openTransport(config.smtpUrl, dkimKey(config), limits)
}

/** Undefined if the server signs us in. */
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

const dnsLines = (config: Config): Promise<string> =>
  senderProblems(config).then(
    (problems) => problems.map((problem) => `\nReceivers may distrust it: ${problem}`).join(''),
    (error) => `\nThe records of the sender in DNS were not checked: ${error.message}`,
  )

export const mailCommands = {
  'mail waiting': newest(
    SHOWN_MAILS,
    'mails that are still tried, with their last error',
    waitingMails,
  ),
  'mail failed': newest(
    SHOWN_MAILS,
    'mails that were given up, with their last error',
    failedMails,
  ),
  'mail refused': newest(
    SHOWN_MAILS,
    `addresses whose mail server refused them; after ${REFUSAL_DAYS} days they are tried again`,
    refusedAddresses,
  ),
  'mail allow': acting({
    takes: '<address>',
    does: 'lets mails to a refused address be tried again at once',
    of: async (call) => {
      const address = argument(call)
      const key = emailKey(address)
      return { address, key, member: await call.db('users').where({ emailKey: key }).first('id') }
    },
    asks: ({ address }) => `Send mails to ${address} again?`,
    run: async (tx, { address, key, member }) => {
      if (!(await allowAddress(tx, key))) throw notFound('refused address')
      const says = `mails to ${address} are tried again; failed ones with mail retry`
      return member ? { says, memberId: member.id } : { says }
    },
  }),
  'mail retry': acting({
    takes: `<id|${ALL_MAILS}...>`,
    does: 'tries failed mails again, with @all those of the last day that were not rejected for good; codes in mails older than 10 minutes do not work any more',
    of: async ({ db, args }) => {
      const chosen = chosenMails(args)
      const subjects = await failedBySubject(db, chosen)
      if (subjects.length === 0) throw notFound('failed mail')
      return { chosen, subjects }
    },
    asks: ({ subjects }) => {
      const list = subjects.map(({ subject, mails }) => `\n  ${mails} × ${subject}`)
      return `Send these again?${list.join('')}`
    },
    run: async (tx, { chosen }) => {
      const mails = await retryMails(tx, chosen)
      // The ids of an outage would be most of the log.
      const details: ActionDetails =
        mails.length > LOGGED_IDS ? { number: mails.length } : { mails }
      return { says: `${mails.length} mails are tried again`, details }
    },
  }),
  /** Sends past the queue, so that the answer of the server is known at once. */
  'mail test': acting({
    takes: '<address>',
    does: 'sends a test mail at once and looks at SPF, DKIM and DMARC; a failure says within 10 s what is wrong',
    usualReason: 'test of the mail server',
    of: async (call) => ({
      to: argument(call),
      transport: await transportOf(call.config),
      dns: dnsLines(call.config),
    }),
    asks: ({ to }, { config }) => `Send a test mail from ${config.mailFrom} to ${to}?`,
    run: async (_, { to, transport, dns }, { config }) => ({
      says: `The mail server has accepted a mail to ${to}. Look for it, in the spam folder too.${await dns}`,
      details: { domain: to.replace(/^.*@/, '') },
      async after() {
        const mail = mailTexts('en').test(config.publicOrigins[0] ?? NETWORK_NAME)
        try {
          await transport.sendMail({ from: config.mailFrom, to, ...mail })
        } catch (error) {
          refuse(problemOf(error as SmtpError))
        } finally {
          transport.close()
        }
      },
    }),
  }),
} satisfies Record<string, OpsCommand>
