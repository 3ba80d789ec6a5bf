import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#rules/members/languages'
import type { FactorChange, MailTexts } from './en.ts'
import type { MailText, RequestFacts } from './mail-text.ts'
import { mailTexts } from './mail-texts.ts'

const facts: RequestFacts = {
  device: 'Firefox on Windows',
  network: '203.0.x.x',
  now: Date.parse('2026-03-01T12:30:00.000Z'),
  origin: 'https://tesp.example',
}

const FACTOR_CHANGES: FactorChange[] = [
  'passkeyAdded',
  'passkeyRemoved',
  'codesOn',
  'codesOff',
  'recoveryRenewed',
  'recoveryUsed',
  'codeGuessed',
]

type MailCase = [name: string, of: (texts: MailTexts) => MailText, contents: string[]]

/** Each mail, with what its text must contain in every language. */
const MAILS: MailCase[] = [
  ['verification code', (texts) => texts.verificationCode('123456'), ['\n    123456\n']],
  ['reset code', (texts) => texts.resetCode('123456'), ['\n    123456\n']],
  ['sign-in code', (texts) => texts.signInCode('123456'), ['\n    123456\n']],
  [
    'new browser',
    (texts) => texts.newBrowser(facts),
    [
      'Firefox on Windows',
      '203.0.x.x',
      '2026-03-01 12:30 UTC',
      'https://tesp.example/reset-password',
    ],
  ],
  [
    'password reset',
    (texts) => texts.newPassword('reset', facts),
    ['Firefox on Windows', 'https://tesp.example/reset-password'],
  ],
  [
    'password changed',
    (texts) => texts.newPassword('changed', facts),
    ['Firefox on Windows', 'https://tesp.example/reset-password'],
  ],
  ...FACTOR_CHANGES.map(
    (change): MailCase => [
      `factor ${change}`,
      (texts) => texts.factorChanged(change, facts),
      ['Firefox on Windows', 'https://tesp.example/reset-password'],
    ],
  ),
  ['factor reset', (texts) => texts.factorReset(facts.origin), ['https://tesp.example/account']],
  [
    'e-mail change code',
    (texts) => texts.emailChangeCode('123456', { username: 'zoe', email: 'zoe@new.example' }),
    ['\n    123456\n', 'zoe@new.example', 'zoe'],
  ],
  ['e-mail changed', (texts) => texts.emailChanged(facts.origin), ['https://tesp.example']],
  ['identity accepted', (texts) => texts.identityAccepted(), []],
  [
    'identity rejected',
    (texts) => texts.identityRejected('The picture is blurred', facts.origin),
    ['\n    The picture is blurred\n', 'https://tesp.example/account'],
  ],
  ['test mail', (texts) => texts.test('https://tesp.example'), ['https://tesp.example']],
  [
    'session ended',
    (texts) =>
      texts.sessionEnded({ page: `${facts.origin}/mine`, unsubscribeUrl: 'https://x.example/u' }),
    ['\n    https://tesp.example/mine\n', '\n    https://x.example/u'],
  ],
]

describe.each(MAILS)('mail %s', (_, of, contents) => {
  it.each(LANGUAGES)('in %s names the product and contains its facts', (language) => {
    const { subject, text } = of(mailTexts(language))
    expect(subject).toMatch(/^TESP Network: ./)
    for (const content of contents) expect(text).toContain(content)
    expect(`${subject}${text}`).not.toMatch(/undefined|null|\{\{/)
  })

  it.each(LANGUAGES)('in %s says the same as HTML, with nothing to load', (language) => {
    const { text, html } = of(mailTexts(language))
    expect(html).toMatch(new RegExp(`^<!DOCTYPE html><html dir="ltr" lang="${language}">`))
    const shown = html.replace(/<[^>]*>/g, ' ')
    for (const word of text.split(/\s+/)) {
      expect(word.startsWith('https:') ? html : shown).toContain(word)
    }
    expect(html).not.toMatch(/<(img|script|link|iframe)\b|src=|url\(|undefined|\{\{/)
    expect(html).toContain('prefers-color-scheme:dark')
  })

  it('differs in subject and text between the languages', () => {
    const [english, vietnamese] = LANGUAGES.map((language) => of(mailTexts(language)))
    expect(vietnamese?.subject).not.toBe(english?.subject)
    expect(vietnamese?.text).not.toBe(english?.text)
  })
})

it('a mail without a known origin names the page instead of its address', () => {
  for (const language of LANGUAGES) {
    const { text } = mailTexts(language).newBrowser({ ...facts, origin: undefined })
    expect(text).not.toContain('/reset-password')
  }
})

it('a member without a language gets English mails', () => {
  expect(mailTexts(null)).toBe(mailTexts('en'))
})

it('a code can be copied as one word, and stands in the preview of a list of mails', () => {
  const { html } = mailTexts('en').verificationCode('123456')
  expect(html).toMatch(/user-select:all[^>]*>123456<\/p>/)
  expect(html).toContain('opacity:0">123456 · Your TESP Network verification code is</div>')
})

it('what a request or an operator wrote is no markup', () => {
  const device = '<img src=x onerror="alert(1)"> & Co'
  const { html, text } = mailTexts('en').newBrowser({ ...facts, device })
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Co')
  expect(text).toContain(device)
  expect(mailTexts('vi').identityRejected('<b>', undefined).html).not.toContain('<b>')
})
