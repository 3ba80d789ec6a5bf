/** Subject and plain text of a mail, in lines of at most 80 characters. */
export type MailText = { subject: string; text: string }

/** What a notice about a request names: where it came from, and when. */
export type RequestFacts = {
  /** In plain words, such as `Firefox on Windows`. */
  device: string
  network: string
  /** Real time, ms. */
  now: number
  /** Public URL of the product, if known. */
  origin: string | undefined
}

/** What happened to a way to sign in; `codeGuessed` is a right password with many wrong codes. */
export type FactorChange =
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'codesOn'
  | 'codesOff'
  | 'recoveryRenewed'
  | 'recoveryUsed'
  | 'codeGuessed'

/** Every mail of the product in one language. */
export type MailTexts = {
  verificationCode(code: string): MailText
  resetCode(code: string): MailText
  signInCode(code: string): MailText
  newBrowser(facts: RequestFacts): MailText
  /** After a new password, by a reset or by a change. */
  newPassword(how: 'reset' | 'changed', facts: RequestFacts): MailText
  factorChanged(change: FactorChange, facts: RequestFacts): MailText
  /** After an operator has switched the codes off. */
  factorReset(origin: string | undefined): MailText
  /** To the old and the new mailbox, before the address of the account changes. */
  emailChangeCode(code: string, change: { username: string; email: string }): MailText
  /** To the old mailbox, afterwards. */
  emailChanged(origin: string | undefined): MailText
  identityAccepted(): MailText
  /** `reason` is the operator's own text. */
  identityRejected(reason: string, origin: string | undefined): MailText
  /** A reminder that the 24 hours are over; `page` is where the next session starts. */
  sessionEnded(links: { page: string; unsubscribeUrl: string }): MailText
}

/** Device, network and time of a request, indented; `network` is the word for it. */
export const factLines = ({ device, network, now }: RequestFacts, networkWord: string): string =>
  `    ${device}
    ${networkWord} ${network}
    ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`
