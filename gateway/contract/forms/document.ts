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
