/** An identity document as a member submits it. */
export const passport = {
  documentType: 'passport',
  mime: 'application/pdf',
  bytes: Buffer.from('%PDF-1.7'),
} as const
