import { NETWORK_NAME } from '#rules/constants'
import { type MailBlock, mailText, type RequestFacts, requestLines } from './mail-text.ts'

const mail = (subject: string, ...blocks: MailBlock[]) =>
  mailText('en', `${NETWORK_NAME}: ${subject}`, blocks)

const factsAndAdvice = (about: RequestFacts): MailBlock[] => {
  const facts = requestLines(about, 'network')
  const { origin } = about
  const words = `If it was you, ignore this mail. If not, set a new password${origin ? '' : '\non the page Reset Password'}:
that ends every sign-in.`
  if (!origin) return [facts, words]
  return [facts, words, { link: `${origin}/reset-password`, label: 'Set a new password' }]
}

const accountPage = (origin: string | undefined): MailBlock[] =>
  origin ? [{ link: `${origin}/account`, label: 'Open your account' }] : []

const FACTOR = {
  passkeyAdded: [
    'a passkey was added',
    'A passkey was added to your account. It signs in without your password:',
  ],
  passkeyRemoved: [
    'a passkey was removed',
    'A passkey was removed from your account. It signs in no more:',
  ],
  codesOn: [
    'one-time codes are on',
    'A sign-in with your password now needs a code from your authenticator app too:',
  ],
  codesOff: [
    'one-time codes are off',
    'A sign-in with your password needs no code from your authenticator app any more:',
  ],
  recoveryRenewed: [
    'new recovery codes',
    'You have new recovery codes. The earlier ones do not work any more:',
  ],
  recoveryUsed: [
    'a recovery code was used',
    'A recovery code was used to sign in. It does not work again:',
  ],
  codeGuessed: [
    'wrong codes at sign-in',
    'Your password was entered, and then many wrong codes. Nobody was signed in:',
  ],
} satisfies Record<string, [subject: string, what: string]>

/** What happened to a way to sign in; `codeGuessed` is a right password with many wrong codes. */
export type FactorChange = keyof typeof FACTOR

export const en = {
  verificationCode: (code: string) =>
    mail(
      'your verification code',
      `Your ${NETWORK_NAME} verification code is`,
      { code },
      'It is valid for 10 minutes. If you did not ask for it, ignore this mail.',
    ),
  resetCode: (code: string) =>
    mail(
      'your password reset code',
      `Your ${NETWORK_NAME} password reset code is`,
      { code },
      'It is valid for 10 minutes. If you did not ask for it, ignore this mail: your password stays.',
    ),
  signInCode: (code: string) =>
    mail(
      'your sign-in code',
      `Your ${NETWORK_NAME} sign-in code is`,
      { code },
      `It is valid for 10 minutes. Many wrong passwords were tried for your account, so a browser that is
new to it needs this code. It was sent because your password was entered: if that was not you,
change your password.`,
    ),
  newBrowser: (about: RequestFacts) =>
    mail(
      'sign-in from a new browser',
      'A browser that is new to your account has signed in:',
      ...factsAndAdvice(about),
    ),
  newPassword: (how: 'reset' | 'changed', about: RequestFacts) =>
    mail(
      `your password was ${how}`,
      `Your password was ${how}, and every other sign-in has ended:`,
      ...factsAndAdvice(about),
    ),
  factorChanged: (change: FactorChange, about: RequestFacts) => {
    const [subject, what] = FACTOR[change]
    const then = 'Then check the passkeys and one-time codes on your Account screen.'
    return mail(subject, what, ...factsAndAdvice(about), then)
  },
  /** After an operator has switched the codes off. */
  factorReset: (origin: string | undefined) =>
    mail(
      'one-time codes were switched off',
      `Our support has switched off the one-time codes of your account. Your password
alone signs in now. You can switch them on again on your Account screen.`,
      ...accountPage(origin),
      'If you did not ask for this, set a new password at once.',
    ),
  /** To the old and the new mailbox, before the address of the account changes. */
  emailChangeCode: (code: string, { username, email }: { username: string; email: string }) =>
    mail(
      'confirm the new e-mail address',
      `The e-mail address of the account ${username} is to become
${email}.
If you asked our support for this, give them the code`,
      { code },
      `It is valid for 24 hours. If you did not ask for it, give the code to nobody: nothing
changes without it.`,
    ),
  /** To the old mailbox, afterwards. */
  emailChanged: (origin: string | undefined) =>
    mail(
      'your e-mail address was changed',
      `Our support has changed the e-mail address of your account, and every sign-in has
ended. Mails go to the new address from now on.`,
      `If you did not ask for this, tell our support at once${origin ? `: ${origin}` : '.'}`,
    ),
  identityAccepted: () =>
    mail(
      'your identity is verified',
      'Your document has been accepted. Your identity is verified.',
    ),
  /** `reason` is the operator's own text. */
  identityRejected: (reason: string, origin: string | undefined) =>
    mail(
      'your document was not accepted',
      'Your document was not accepted:',
      { quote: reason },
      `To try again, open your Account screen, choose KYC Verification and submit a
new document.`,
      ...accountPage(origin),
    ),
  sessionEnded: ({ page, unsubscribeUrl }: { page: string; unsubscribeUrl: string }) =>
    mail(
      'your 24 hours are over',
      `Your mining session has ended after its 24 hours.
Start the next one here:`,
      { link: page, label: 'Start the next session' },
      `You get this mail because you asked for it on your Account page.
Stop these mails:`,
      { link: unsubscribeUrl, label: 'Unsubscribe', quiet: true },
    ),
  /** Of `ops mail test`. */
  test: (product: string) => mail('test mail', `This is a test. Mails of ${product} arrive here.`),
}

/** Every mail of the product in one language. */
export type MailTexts = typeof en
