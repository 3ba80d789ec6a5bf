import type { FuzzCase } from './case.ts'
import { INJECTIONS, UNICODE } from './corpus.ts'

const BOUNDARY = 'xXx'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000049454e44ae426082',
  'hex',
)

type Part = { name?: string; file?: string; head?: string; bytes: string | Buffer }

const quoted = (text: string) => text.replaceAll('"', '%22').replaceAll(/[\r\n]/g, '%0A')
function partOf({ name, file, head, bytes }: Part): Buffer {
  const line = `Content-Disposition: form-data${name === undefined ? '' : `; name="${quoted(name)}"`}`
  const full =
    file === undefined
      ? line
      : `${line}; filename="${quoted(file)}"\r\nContent-Type: application/pdf`
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head ?? full}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
}

/** A multipart form as a browser sends it. */
const formOf = (...parts: Part[]) =>
  Buffer.concat([...parts.map(partOf), Buffer.from(`--${BOUNDARY}--\r\n`)])

const passport: Part = { name: 'documentType', bytes: 'passport' }
const documentOf = (bytes: string | Buffer, file = 'a.pdf'): Part => {
  return { name: 'document', file, bytes }
}
const VALID_FORM = formOf(passport, documentOf(PDF))

/** Files that are not an accepted document; the last ones are polyglots. */
const CONTENTS: Record<string, string | Buffer> = {
  nothing: '',
  text: 'my passport',
  'only a PDF signature': '%PDF',
  'a late PDF signature': `${' '.repeat(10)}%PDF-1.4`,
  'a GIF': 'GIF89a\u0001\u0000\u0001\u0000',
  'an SVG': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'an SVG with an XML declaration':
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
  'an HTML page': '<!doctype html><html><script>alert(1)</script></html>',
  'an archive': Buffer.from('504b0304140000000800', 'hex'),
  'an empty archive': Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex'),
  'a program': Buffer.from('7f454c4602010100', 'hex'),
  'a Windows program': Buffer.from(`4d5a9000${'00'.repeat(60)}`, 'hex'),
  'a video': Buffer.from('000000206674797069736f6d00000200', 'hex'),
  'a WebP': Buffer.from('524946461a000000574542505650384c', 'hex'),
  'a TIFF': Buffer.from('49492a0008000000', 'hex'),
  'an endless video': Buffer.from(`3026b2758e66cf11a6d900aa0062ce6c${'00'.repeat(40)}`, 'hex'),
  'half a JPEG signature': Buffer.from('ffd8', 'hex'),
  zeros: Buffer.alloc(2_000),
  noise: Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 7_919) % 251)),
  'a PDF and a page': Buffer.concat([PDF, Buffer.from('<script>alert(1)</script>')]),
  'a PDF and an archive': Buffer.concat([PDF, Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')]),
  'a page and a PDF': Buffer.concat([Buffer.from('<html>'), PDF]),
  'a JPEG and PHP': Buffer.concat([JPEG, Buffer.from('<?php system($_GET[0]) ?>')]),
  'a JPEG and an archive': Buffer.concat([JPEG, Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')]),
  'a PNG and an SVG': Buffer.concat([PNG, Buffer.from('<svg onload="alert(1)"/>')]),
  'a JPEG and a PDF': Buffer.concat([JPEG, PDF]),
  'a PNG and a PDF': Buffer.concat([PNG, PDF]),
  'more than 5 MiB': Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)]),
}

const many = (times: number, part: (at: number) => Part) =>
  Array.from({ length: times }, (_, at) => part(at))

/** Malformed forms, and forms with the wrong parts. */
const FORMS: Record<string, Buffer> = {
  'no parts': formOf(),
  'an empty body': Buffer.alloc(0),
  'no document': formOf(passport),
  'no type': formOf(documentOf(PDF)),
  'a document that is a field': formOf(passport, { name: 'document', bytes: PDF }),
  'a type that is a file': formOf({ ...passport, file: 'a.txt' }, documentOf(PDF)),
  'other names': formOf({ name: 'type', bytes: 'passport' }, { ...documentOf(PDF), name: 'file' }),
  'names of a prototype': formOf(
    { name: '__proto__', bytes: 'passport' },
    { ...documentOf(PDF), name: 'constructor' },
  ),
  'two documents': formOf(passport, documentOf(PDF), documentOf(PDF)),
  '50 documents': formOf(passport, ...many(50, () => documentOf(PDF))),
  '1,000 fields': formOf(...many(1_000, (at) => ({ name: `f${at}`, bytes: 'x' })), documentOf(PDF)),
  'a field of 100 KB': formOf(
    { name: 'documentType', bytes: 'a'.repeat(100_000) },
    documentOf(PDF),
  ),
  'a name of 100 KB': formOf({ name: 'a'.repeat(100_000), bytes: 'x' }, documentOf(PDF)),
  'no name': formOf({ bytes: 'passport' }, documentOf(PDF)),
  'a part without a disposition': formOf(passport, { head: 'X-Odd: 1', bytes: PDF }),
  'a malformed header': formOf(passport, { head: 'garbage', bytes: PDF }),
  'a header of 200 KB': formOf(passport, { head: `X-Odd: ${'a'.repeat(200_000)}`, bytes: PDF }),
  'no last boundary': VALID_FORM.subarray(0, -8),
  'no end of the document': VALID_FORM.subarray(0, -20),
  'no end of a header': VALID_FORM.subarray(0, 30),
  'another boundary': Buffer.from(
    VALID_FORM.toString('latin1').replaceAll(BOUNDARY, 'yYy'),
    'latin1',
  ),
  'LF line ends': Buffer.from(VALID_FORM.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  JSON: Buffer.from('{"documentType":"passport"}'),
}

const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'garbage',
  'multipart/',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'x'.repeat(4_000)}`,
  'multipart/form-data; boundary=(.*)+$',
  `multipart/mixed; boundary=${BOUNDARY}`,
  'multipart/form-data, application/json',
  undefined,
]

const to = { method: 'POST', path: '/api/user/kyc' }

export const VALID_UPLOADS: FuzzCase[] = [PDF, JPEG, PNG].map((bytes) => ({
  ...to,
  name: 'a valid document',
  body: formOf(passport, documentOf(bytes)),
  headers: { 'Content-Type': MULTIPART },
}))

export function uploadCases(): FuzzCase[] {
  const made = (name: string, body: Buffer, type: string | undefined = MULTIPART): FuzzCase => {
    return { ...to, name, body, headers: { 'Content-Type': type }, statuses: [400, 413, 415] }
  }
  const unusual = Object.entries({ ...INJECTIONS, ...UNICODE, huge: 'a'.repeat(20_000) })
  return [
    ...Object.entries(CONTENTS).map(([name, bytes]) =>
      made(`the document is ${name}`, formOf(passport, documentOf(bytes))),
    ),
    ...Object.entries(FORMS).map(([name, form]) => made(name, form)),
    ...TYPES.map((type) => ({
      ...made(`a body of the type ${type}`.slice(0, 60), VALID_FORM),
      headers: { 'Content-Type': type },
    })),
    ...unusual.map(([name, file]) =>
      made(`the file name is ${name}`, formOf(passport, documentOf('no document', file))),
    ),
    ...unusual.map(([name, bytes]) =>
      made(`the type is ${name}`, formOf({ name: 'documentType', bytes }, documentOf(PDF))),
    ),
    ...['gzip', 'br', 'rot13'].map((coding) => ({
      ...made(`a body not encoded as ${coding}`, formOf(passport, documentOf('no document'))),
      headers: { 'Content-Type': MULTIPART, 'Content-Encoding': coding },
    })),
  ]
}
