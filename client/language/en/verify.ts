/** The page that verifies a receipt of the sealed ledger; on the screen such a file is a proof. */
export const verify = {
  title: 'Verify a proof',
  intro:
    'A proof shows that a row of your activity is in the sealed ledger of its day. It is checked in this browser; nothing is sent.',
  choose: 'Choose a proof',
  hash: 'Hash of the seal (optional)',
  hashHint: 'From a source that you trust, such as a mirror of the roots.',
  notReceipt: 'This file is not a proof.',
  valid: 'This proof is valid',
  invalid: 'This proof is not valid',
  seal: 'Seal {{number}} of {{day}}',
  checks: {
    row: 'The row is one of the rows of that day.',
    root: 'The rows lead to the root of the seal.',
    hash: 'The hash of the seal is that of its fields.',
    signature: 'The seal is signed.',
    published: 'The seal is the one that you trust.',
  },
  outcome: { holds: 'Holds', fails: 'Fails', open: 'Not checked' },
  back: 'Go to the dashboard',
} as const
