/** The page that verifies a receipt of the sealed ledger; on the screen such a file is a proof. */
export const verify = {
  intro:
    'A proof shows that a row of your activity is in the sealed ledger of its day. The file stays in this browser; only its day is sent, to compare its seal with the published one.',
  choose: 'Choose a proof',
  hash: 'Hash of the seal (optional)',
  hashHint: 'From a source that you trust, such as a mirror of the roots.',
  notReceipt: 'This file is not a proof.',
  verdicts: {
    valid: 'This proof is valid',
    signed: 'This proof could not be compared',
    unchecked: 'This proof could not be checked',
    unknownKey: 'Signed by an unknown key: not valid',
    invalid: 'This proof is not valid',
  },
  signedBy: 'Signed by TESP Network on {{date}}',
  reasons: {
    signed:
      'The published seals could not be read, so the root of the day could not be compared. The row is shown once that works.',
    unchecked:
      'The keys of TESP Network could not be read, or this browser cannot check signatures. Connect, open this page with https, or use a newer browser.',
    unknownKey: 'Anybody could have made this file. Do not trust what it says.',
    invalid: 'Do not trust what this file says.',
  },
  seal: 'Seal {{number}} of {{day}}',
  checks: {
    row: 'The row is one of the rows of that day.',
    root: 'The rows lead to the root of the seal.',
    hash: 'The hash of the seal is that of its fields.',
    signature: 'The signature fits the seal.',
    key: 'The key was one of TESP Network for this seal.',
    published: 'The seal is the published one.',
    entered: 'The seal has the hash that you entered.',
  },
  outcome: { holds: 'Holds', fails: 'Fails', open: 'Not checked' },
} as const
