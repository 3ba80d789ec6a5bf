import type { AnyObjectSchema } from 'yup'
import { EXTRA_FIELDS, INJECTIONS, JSON_VALUES, UNICODE, UNSTORABLE } from './naughty-values.ts'
import { type Field, fieldsOf } from './schema-fields.ts'

/** A body as text; `breaks` where it breaks the schema, and is to be refused for that. */
export type BadBody = { name: string; text: string; breaks: boolean }

type Texts = Record<string, string>

const json = (fields: Texts) =>
  `{${Object.entries(fields)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`

/** The least that fits: the fields that are required. */
const leastOf = (fields: Field[]): Texts =>
  Object.fromEntries(
    fields
      .filter(({ isRequired }) => isRequired)
      .map(({ name, fine }) => [name, JSON.stringify(fine)]),
  )

/** The least body that a schema accepts. */
export function fineBody(schema: AnyObjectSchema): string {
  return json(leastOf(fieldsOf(schema)))
}

function* wrongTypes({ name, type, isNullable }: Field): Iterable<[string, string]> {
  for (const [kind, values] of Object.entries(JSON_VALUES)) {
    const fits = kind === type || type === 'mixed' || (kind === 'null' && isNullable)
    if (fits) continue
    for (const [label, text] of Object.entries(values)) yield [`${name} is ${label}`, text]
  }
}

function* wrongTexts(field: Field): Iterable<[string, string]> {
  const { name, type, longest, accepts } = field
  for (const [label, text] of Object.entries(UNSTORABLE)) yield [`${name} contains ${label}`, text]
  if (type !== 'string') return
  if (!accepts('')) yield [`${name} is empty`, '""']
  if (longest) {
    yield [`${name} is too long by one`, JSON.stringify('a'.repeat(longest + 1))]
    yield [`${name} is too long`, JSON.stringify('a'.repeat(200_000))]
  }
  for (const [label, text] of [...Object.entries(INJECTIONS), ...Object.entries(UNICODE)]) {
    if (!accepts(text)) yield [`${name} is ${label}`, JSON.stringify(text)]
  }
}

/** Odd texts in all the fields that accept them, at once. */
function* oddTexts(fields: Field[], least: Texts): Iterable<BadBody> {
  for (const [label, text] of [...Object.entries(INJECTIONS), ...Object.entries(UNICODE)]) {
    const open = fields.filter(({ type, accepts }) => type === 'string' && accepts(text))
    if (open.length === 0) continue
    const filled = Object.fromEntries(open.map(({ name }) => [name, JSON.stringify(text)]))
    const names = open.map(({ name }) => name).join(', ')
    yield { name: `${names}: ${label}`, text: json({ ...least, ...filled }), breaks: false }
  }
}

function* extraFields(least: Texts, breaks: boolean): Iterable<BadBody> {
  for (const [name, fields] of Object.entries(EXTRA_FIELDS)) {
    // What the schema takes comes last: an extra field replaces none of it.
    const text = json({ ...fields, ...least })
    yield { name: `extra fields: ${name}`, text, breaks }
  }
  const wrong: Texts = {
    'a prototype': '"__proto__":{"isAdmin":true}',
    'a prototype in disguise': '"\\u005f_proto__":{"isAdmin":true}',
    'nine levels': `"extra":${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
    '50,000 levels': `"extra":${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    'a name with NUL': '"a\\u0000":1',
    'a name of half a pair': '"\\ud83d":1',
    'NUL far inside': '"extra":[{"a":["\\u0000"]}]',
  }
  for (const [name, field] of Object.entries(wrong)) {
    const text = `{${[...Object.entries(least).map(([key, value]) => `"${key}":${value}`), field]}}`
    yield { name: `an extra field with ${name}`, text, breaks: true }
  }
}

/** What a route with this schema must bear, each body with one thing wrong. */
export function badBodies(schema: AnyObjectSchema): BadBody[] {
  const fields = fieldsOf(schema)
  const least = leastOf(fields)
  // Other schemas drop what they do not know.
  const isClosed = schema.spec.noUnknown === true
  const bodies: BadBody[] = [...oddTexts(fields, least), ...extraFields(least, isClosed)]
  for (const field of fields) {
    for (const [name, text] of [...wrongTypes(field), ...wrongTexts(field)]) {
      bodies.push({ name, text: json({ ...least, [field.name]: text }), breaks: true })
    }
    if (!field.isRequired) continue
    const { [field.name]: _, ...rest } = least
    bodies.push({ name: `${field.name} is missing`, text: json(rest), breaks: true })
  }
  for (const text of ['[]', '[{}]', 'null', '7', '"text"', 'true']) {
    bodies.push({ name: `no object but ${text}`, text, breaks: true })
  }
  return bodies
}
