import { mixed, object } from 'yup'

/** Accepted identity documents. */
export const DOCUMENT_TYPES = ['idCard', 'passport', 'drivingLicense'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const kycForm = object({
  documentType: mixed<DocumentType>()
    .oneOf([...DOCUMENT_TYPES], 'Please select a document type')
    .required('Please select a document type'),
})

/** Largest identity document, bytes. */
export const DOCUMENT_BYTES = 5 * 1024 * 1024
