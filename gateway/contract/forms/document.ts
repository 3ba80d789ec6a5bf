import { object } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { oneOf } from './fields.ts'

/** Accepted identity documents. */
export const DOCUMENT_TYPES = ['idCard', 'passport', 'drivingLicense'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const kycForm = object({
  documentType: oneOf(DOCUMENT_TYPES, API_TEXTS.documentType),
})

/** Largest identity document, bytes. */
export const DOCUMENT_BYTES = 5 * 1024 * 1024

/** Real ms after which an upload counts as lost: enough for 5 MB over a slow mobile network. */
export const UPLOAD_TIMEOUT_MS = 300_000
