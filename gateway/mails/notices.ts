import type { Mail } from '#db/mails'
import type { Place } from '#gateway/services/sign-in-list'
import { NETWORK_NAME } from '#rules/constants'

/** What a notice names: where the request came from, and when (real time, ms). */
export type NoticeFacts = Place & {
  now: number
  /** Public URL of the product, if known. */
  origin: string | undefined
}

const facts = ({ device, network, now }: NoticeFacts) => `    ${device}
    network ${network}
    ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const advice = ({ origin }: NoticeFacts) => {
  const page = origin ? `${origin}/reset-password` : 'the page Reset Password'
  return `If it was you, ignore this mail. If not, set a new password on
${page}: that ends every sign-in.`
}

/** The mail after a sign-in from a browser without a device cookie of the member. */
export function newBrowserMail(to: string, about: NoticeFacts): Mail {
  return {
    to,
    subject: `${NETWORK_NAME}: sign-in from a new browser`,
    text: `A browser that is new to your account has signed in:

${facts(about)}

${advice(about)}`,
  }
}

/** The mail after a new password, by a reset or by a change. */
export function newPasswordMail(to: string, how: 'reset' | 'changed', about: NoticeFacts): Mail {
  return {
    to,
    subject: `${NETWORK_NAME}: your password was ${how}`,
    text: `Your password was ${how}, and every other sign-in has ended:

${facts(about)}

${advice(about)}`,
  }
}
