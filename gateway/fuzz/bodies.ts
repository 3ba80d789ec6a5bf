import type { AnyObjectSchema } from 'yup'
import { EXTRA_FIELDS, INJECTIONS, JSON_VALUES, UNICODE, UNSTORABLE } from './corpus.ts'
import { type Field, fieldsOf } from './schema-fields.ts'

/** A body as JSON text, and whether the schema must reject it. */
export type FuzzBody = { name: string; text: string; isInvalid: boolean }

type Texts = Record<string, string>

const json = (fields: Texts) =>
  `{${Object.entries(fields)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`

const requiredFields = (fields: Field[]): Texts =>
  Object.fromEntries(
    fields
      .filter(({ isRequired }) => isRequired)
      .map(({ name, valid }) => [name, JSON.stringify(valid)]),
  )

/** The smallest body that a schema accepts. */
export function minimalBody(schema: AnyObjectSchema): string {
  return json(requiredFields(fieldsOf(schema)))
}

function* wrongTypes({ name, type, isNullable }: Field): Iterable<[string, string]> {
  for (const [kind, values] of Object.entries(JSON_VALUES)) {
    const fits = kind === type || type === 'mixed' || (kind === 'null' && isNullable)
    if (fits) continue
    for (const [label, text] of Object.entries(values)) yield [`${name} is ${label}`, text]
  }
}

function* wrongTexts(field: Field): Iterable<[string, string]> {
  const { name, type, maxLength, accepts } = field
  for (const [label, text] of Object.entries(UNSTORABLE)) yield [`${name} contains ${label}`, text]
  if (type !== 'string') return
  if (!accepts('')) yield [`${name} is empty`, '""']
  if (maxLength) {
    yield [`${name} is too long by one`, JSON.stringify('a'.repeat(maxLength + 1))]
    yield [`${name} is too long`, JSON.stringify('a'.repeat(200_000))]
  }
  for (const [label, text] of [...Object.entries(INJECTIONS), ...Object.entries(UNICODE)]) {
    if (!accepts(text)) yield [`${name} is ${label}`, JSON.stringify(text)]
  }
}

/** Unusual but valid texts, in all fields that accept them at once. */
function* unusualTexts(fields: Field[], required: Texts): Iterable<FuzzBody> {
  for (const [label, text] of [...Object.entries(INJECTIONS), ...Object.entries(UNICODE)]) {
    const accepting = fields.filter(({ type, accepts }) => type === 'string' && accepts(text))
    if (accepting.length === 0) continue
    const filled = Object.fromEntries(accepting.map(({ name }) => [name, JSON.stringify(text)]))
    const names = accepting.map(({ name }) => name).join(', ')
    yield { name: `${names}: ${label}`, text: json({ ...required, ...filled }), isInvalid: false }
  }
}

function* extraFields(required: Texts, isInvalid: boolean): Iterable<FuzzBody> {
  for (const [name, fields] of Object.entries(EXTRA_FIELDS)) {
    // Fields of the schema come last, so that no extra field replaces one.
    const text = json({ ...fields, ...required })
    yield { name: `extra fields: ${name}`, text, isInvalid }
  }
  const invalid: Texts = {
    'a prototype': '"__proto__":{"isAdmin":true}',
    'an escaped prototype': '"\\u005f_proto__":{"isAdmin":true}',
    'nine levels of nesting': `"extra":${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
    '50,000 levels of nesting': `"extra":${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    'a name with NUL': '"a\\u0000":1',
    'a lone surrogate as name': '"\\ud83d":1',
    'a nested NUL': '"extra":[{"a":["\\u0000"]}]',
  }
  for (const [name, field] of Object.entries(invalid)) {
    const text = `{${[...Object.entries(required).map(([key, value]) => `"${key}":${value}`), field]}}`
    yield { name: `an extra field with ${name}`, text, isInvalid: true }
  }
}

/** Bodies for a route with this schema; each invalid one breaks a single rule. */
export function fuzzBodies(schema: AnyObjectSchema): FuzzBody[] {
  const fields = fieldsOf(schema)
  const required = requiredFields(fields)
  // Other schemas drop unknown fields.
  const isClosed = schema.spec.noUnknown === true
  const bodies: FuzzBody[] = [...unusualTexts(fields, required), ...extraFields(required, isClosed)]
  for (const field of fields) {
    for (const [name, text] of [...wrongTypes(field), ...wrongTexts(field)]) {
      bodies.push({ name, text: json({ ...required, [field.name]: text }), isInvalid: true })
    }
    if (!field.isRequired) continue
    const { [field.name]: _, ...rest } = required
    bodies.push({ name: `${field.name} is missing`, text: json(rest), isInvalid: true })
  }
  for (const text of ['[]', '[{}]', 'null', '7', '"text"', 'true']) {
    bodies.push({ name: `not an object but ${text}`, text, isInvalid: true })
  }
  return bodies
}
