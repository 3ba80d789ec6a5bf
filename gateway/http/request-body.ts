import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { bodyParser } from '@koa/bodyparser'
import type Koa from 'koa'
import { ValidationError } from 'yup'
import { DOCUMENT_BYTES, kycForm } from '#contract/forms/document'
import { API_TEXTS } from '#rules/api-texts'
import { BadInput } from './errors.ts'

const notJson = () => new BadInput('The request is not valid JSON')

/** No client compresses a body, and a decompression error after the parser's limit ends the process. Throws 415. */
export const notCompressed: Koa.Middleware = async (ctx, next) => {
  if (!/^(identity)?$/i.test(ctx.get('Content-Encoding'))) {
    throw new BadInput('Send the body without Content-Encoding', undefined, 415)
  }
  await next()
}

/** One character per byte: `parsed` decodes them. */
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

/** Strict: a lenient decoder replaces invalid bytes by U+FFFD, so another text would be stored than was sent. */
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

export const readJson = [notCompressed, readBytes, parseBytes]

/** Bytes of a form around its document: boundaries, headers of the parts and the other fields. */
const FORM_BYTES = 65_536

const noForm = () => new BadInput('Send the document as a multipart form')
const tooLarge = () => new BadInput(API_TEXTS.documentLarge, undefined, 413)

/** Drops bytes beyond the limit, so the client gets the answer. One buffer: a kept chunk costs hundreds of bytes. */
function readUpTo(request: IncomingMessage, limit: number): Promise<Buffer> {
  let body = Buffer.alloc(FORM_BYTES)
  let size = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      const end = size + chunk.length
      if (end <= limit) {
        if (end > body.length) body = Buffer.concat([body], Math.min(limit, 2 * end))
        chunk.copy(body, size)
      } else reject(tooLarge())
      size = end
    })
    finished(request).then(() => resolve(body.subarray(0, size)), reject)
  })
}

/** More than a form of a document has; the parser takes seconds for thousands. */
const MAX_PARTS = 10
const HEAD_BYTES = 4_096

const BOUNDARY = /;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*(?:;|$)/i

/** Returns the type with the boundary that was searched. Refuses many parts, and a part with a long head. */
function assertFewParts({ type, body }: ArrivedForm): string {
  const boundary = BOUNDARY.exec(type)?.[1]
  if (boundary === undefined) throw noForm()
  const delimiter = `--${boundary}`
  let parts = 0
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + 1)) {
    const head = body.subarray(at + delimiter.length, at + delimiter.length + HEAD_BYTES)
    const isPart = head.indexOf('--') !== 0
    if (++parts > MAX_PARTS || (isPart && head.indexOf('\r\n\r\n') === -1)) throw noForm()
  }
  return `multipart/form-data; boundary="${boundary}"`
}

/** `type` is the `Content-Type`, which names the boundary. */
export type ArrivedForm = { type: string; body: Buffer }

export async function readForm(request: IncomingMessage): Promise<ArrivedForm> {
  const type = request.headers['content-type'] ?? ''
  // A JSON body was consumed by the body parser.
  if (!/^multipart\/form-data\b/i.test(type)) throw noForm()
  const body = await readUpTo(request, DOCUMENT_BYTES + FORM_BYTES).catch((error) => {
    throw error instanceof BadInput ? error : noForm()
  })
  return { type, body }
}

/**
 * Node's parser gets at most a form's bytes; streaming parsers took time and memory that a client chooses. It
 * finds a boundary anywhere, so one must not occur in the document: a browser's random one does not.
 */
export async function readDocumentForm(arrived: ArrivedForm) {
  const type = assertFewParts(arrived)
  const form = await new Response(arrived.body, { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => {
      throw noForm()
    })
  const [document, ...others] = form.getAll('document')
  if (!(document instanceof File)) throw new BadInput(API_TEXTS.documentMissing)
  if (others.length > 0 || document.size === 0) throw noForm()
  if (document.size > DOCUMENT_BYTES) throw tooLarge()
  try {
    const fields = { documentType: form.get('documentType') ?? undefined }
    const { documentType } = kycForm.validateSync(fields, { strict: true })
    return { documentType, bytes: Buffer.from(await document.arrayBuffer()) }
  } catch (error) {
    throw error instanceof ValidationError ? new BadInput(error.message) : error
  }
}
