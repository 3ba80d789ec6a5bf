import type { IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { ValidationError } from 'yup'
import { DOCUMENT_BYTES, kycForm } from '#contract/forms/document'
import { BadInput } from './errors.ts'

/** An identity document as uploaded: its bytes stay in memory until they are encrypted. */
export type DocumentForm = { documentType: string; bytes: Buffer }

async function badUpload(error: unknown): Promise<BadInput> {
  const { errors } = await import('formidable')
  const tooLarge = [
    errors.biggerThanMaxFileSize,
    errors.biggerThanTotalMaxFileSize,
    errors.maxFieldsSizeExceeded,
  ]
  const code = error instanceof Error && 'code' in error ? Number(error.code) : 0
  return tooLarge.includes(code)
    ? new BadInput('The document must not be larger than 5 MB', undefined, 413)
    : new BadInput('Send the document as a multipart form')
}

/**
 * Reads the multipart form of POST /api/user/kyc and enforces its size limits while it streams.
 * @throws {BadInput} unless the form holds one `document` and a valid `documentType`
 */
export async function readDocumentForm(request: IncomingMessage): Promise<DocumentForm> {
  // A JSON body was consumed by the body parser; formidable would wait for its end for ever.
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? ''))
    throw await badUpload(null)
  const chunks: Buffer[] = []
  const { default: formidable } = await import('formidable')
  const form = formidable({
    maxFiles: 1,
    maxFields: 4,
    maxFieldsSize: 4_096,
    maxFileSize: DOCUMENT_BYTES,
    maxTotalFileSize: DOCUMENT_BYTES,
    allowEmptyFiles: false,
    filter: ({ name }) => name === 'document',
    fileWriteStreamHandler: () =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk)
          done()
        },
      }),
  })
  const [fields, files] = await form.parse(request).catch(async (error: unknown) => {
    throw await badUpload(error)
  })
  if (!files.document?.[0]) throw new BadInput('Please choose a document')
  try {
    const { documentType } = kycForm.validateSync(
      { documentType: fields.documentType?.[0] },
      { strict: true },
    )
    return { documentType, bytes: Buffer.concat(chunks) }
  } catch (error) {
    throw error instanceof ValidationError ? new BadInput(error.message) : error
  }
}
