import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { bodyParser } from '@koa/bodyparser'
import type Koa from 'koa'
import { ValidationError } from 'yup'
import { DOCUMENT_BYTES, kycForm } from '#contract/forms/document'
import { API_TEXTS } from '#rules/api-texts'
import { BadInput } from './errors.ts'

const notJson = () => new BadInput('The request is not valid JSON')

/** Reads the bytes of a JSON body, decompressed, as a text of one character per byte. */
const readBytes = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  encoding: 'binary',
  textLimit: '256kb',
  onError(error) {
    const isLarge = 'status' in error && error.status === 413
    throw isLarge ? new BadInput(API_TEXTS.requestLarge, undefined, 413) : notJson()
  },
})

/**
 * Decodes strictly: a lenient decoder replaces invalid bytes by U+FFFD, so the request would store
 * another text than the client sent.
 */
function parsed(binary: string): unknown {
  if (binary === '') return {}
  const bytes = Buffer.from(binary, 'latin1')
  if (!isUtf8(bytes)) throw new BadInput('The request is not valid UTF-8')
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw notJson()
  }
  // No route takes a bare text, number, boolean or null.
  if (typeof value !== 'object' || value === null) throw notJson()
  return value
}

const parseBytes: Koa.Middleware = async (ctx, next) => {
  const { request } = ctx
  if (typeof request.body === 'string') request.body = parsed(request.body)
  await next()
}

/**
 * Middleware that reads and parses JSON bodies.
 * @throws {BadInput} for a body that is too large, not UTF-8 or not JSON
 */
export const readJson = [readBytes, parseBytes]

/** An identity document as uploaded: its bytes stay in memory until they are encrypted. */
type DocumentForm = { documentType: string; bytes: Buffer }

async function badUpload(error: unknown): Promise<BadInput> {
  const { errors } = await import('formidable')
  const tooLarge = [
    errors.biggerThanMaxFileSize,
    errors.biggerThanTotalMaxFileSize,
    errors.maxFieldsSizeExceeded,
  ]
  const code = error instanceof Error && 'code' in error ? Number(error.code) : 0
  return tooLarge.includes(code)
    ? new BadInput(API_TEXTS.documentLarge, undefined, 413)
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
  // Formidable would wait for ever for a client that has disconnected before it listens.
  const [[fields, files]] = await Promise.all([form.parse(request), finished(request)]).catch(
    async (error: unknown) => {
      throw await badUpload(error)
    },
  )
  if (!files.document?.[0]) throw new BadInput(API_TEXTS.documentMissing)
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
