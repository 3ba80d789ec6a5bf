import type { NodemailerError } from 'nodemailer'

/** What an SMTP server refused for good: this mail, or every mail to its address. */
export type Refusal = 'mail' | 'address'

/** Unknown, moved or disabled mailboxes by enhanced status (RFC 3463). */
const MAILBOX_STATUS = /\b5\.(1\.(1|2|3|6|10)|2\.1)\b/
const ANY_STATUS = /\b5\.\d{1,3}\.\d{1,3}\b/
/** For servers without enhanced status; these codes may also mean that we may not send at all. */
const MAILBOX_CODES = [550, 551, 553]
const ABOUT_US = /relay|spam|block|black|polic|denied|auth|reputation|spf|dkim|dmarc|listed/i

function isMailbox({ command, responseCode = 0, response, message }: NodemailerError): boolean {
  const text = response ?? message
  if (command !== 'RCPT TO') return false
  if (ANY_STATUS.test(text)) return MAILBOX_STATUS.test(text)
  return MAILBOX_CODES.includes(responseCode) && !ABOUT_US.test(text)
}

/** Matches an address in the brackets of SMTP, or percent-encoded in a link. */
const ADDRESS = /<?[^\s<>"(),:;]+(?:@|%40)[^\s<>"(),:;]+>?/gi

/** The process log names no member's address (privacy.md). */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, '<address>')

/** SMTP 5xx is final, except for a refused password or sender: the mail is sent when the setting is right again. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined
  const smtp: NodemailerError = error
  if ((smtp.responseCode ?? 0) < 500) return undefined
  if (smtp.code === 'EMESSAGE') return 'mail'
  if (smtp.code !== 'EENVELOPE' || smtp.command === 'MAIL FROM') return undefined
  return isMailbox(smtp) ? 'address' : 'mail'
}
