import type { AnyObjectSchema } from 'yup'
import { EXTRA_FIELDS, INJECTIONS, JSON_VALUES, UNICODE, UNSTORABLE } from './corpus.ts'
import { fieldsOf, type SchemaField } from './schema-fields.ts'

/** A body as JSON text, and whether the schema must reject it. */
type FuzzBody = { name: string; text: string; isInvalid: boolean }

type Texts = Record<string, string>
type BodyGenerator = (schema: AnyObjectSchema) => FuzzBody[]

const UNUSUAL = [...Object.entries(INJECTIONS), ...Object.entries(UNICODE)]

const json = (fields: Texts) =>
  `{${Object.entries(fields)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`

const requiredFields = (schema: AnyObjectSchema): Texts =>
  Object.fromEntries(
    fieldsOf(schema)
      .filter(({ isRequired }) => isRequired)
      .map(({ name, valid }) => [name, JSON.stringify(valid)]),
  )

export function minimalBody(schema: AnyObjectSchema): string {
  return json(requiredFields(schema))
}

function invalidFields(
  schema: AnyObjectSchema,
  valuesOf: (field: SchemaField) => Iterable<[string, string]>,
): FuzzBody[] {
  const required = requiredFields(schema)
  return fieldsOf(schema).flatMap((field) =>
    [...valuesOf(field)].map(([name, text]) => ({
      name: `${field.name} ${name}`,
      text: json({ ...required, [field.name]: text }),
      isInvalid: true,
    })),
  )
}

function wrongTypes(schema: AnyObjectSchema): FuzzBody[] {
  return invalidFields(schema, ({ type, isNullable }) => {
    const accepted = type === 'mixed' ? Object.keys(JSON_VALUES) : [type, isNullable ? 'null' : '']
    return Object.entries(JSON_VALUES)
      .filter(([kind]) => !accepted.includes(kind))
      .flatMap(([, values]) => Object.entries(values))
      .map(([label, text]) => [`is ${label}`, text])
  })
}

function unstorableTexts(schema: AnyObjectSchema): FuzzBody[] {
  return invalidFields(schema, () =>
    Object.entries(UNSTORABLE).map(([label, text]) => [`contains ${label}`, text]),
  )
}

function wrongTexts(schema: AnyObjectSchema): FuzzBody[] {
  return invalidFields(schema, function* ({ type, maxLength, accepts }) {
    if (type !== 'string') return
    if (!accepts('')) yield ['is empty', '""']
    if (maxLength) {
      yield ['is too long by one', JSON.stringify('a'.repeat(maxLength + 1))]
      yield ['is too long', JSON.stringify('a'.repeat(200_000))]
    }
    for (const [label, text] of UNUSUAL) {
      if (!accepts(text)) yield [`is ${label}`, JSON.stringify(text)]
    }
  })
}

function missingFields(schema: AnyObjectSchema): FuzzBody[] {
  const required = requiredFields(schema)
  return Object.keys(required).map((name) => {
    const { [name]: _, ...rest } = required
    return { name: `${name} is missing`, text: json(rest), isInvalid: true }
  })
}

/** Unusual but valid texts, in all fields of a body that accept them. */
function unusualTexts(schema: AnyObjectSchema): FuzzBody[] {
  const required = requiredFields(schema)
  return UNUSUAL.flatMap(([label, text]) => {
    const names = fieldsOf(schema)
      .filter(({ type, accepts }) => type === 'string' && accepts(text))
      .map(({ name }) => name)
    if (names.length === 0) return []
    const filled = Object.fromEntries(names.map((name) => [name, JSON.stringify(text)]))
    return [
      { name: `${names}: ${label}`, text: json({ ...required, ...filled }), isInvalid: false },
    ]
  })
}

function extraFields(schema: AnyObjectSchema): FuzzBody[] {
  const required = requiredFields(schema)
  // Other schemas drop unknown fields.
  const isInvalid = schema.spec.noUnknown === true
  return Object.entries(EXTRA_FIELDS).map(([name, fields]) => {
    // Fields of the schema come last, so that no extra field replaces one.
    return { name: `extra fields: ${name}`, text: json({ ...fields, ...required }), isInvalid }
  })
}

/** Extra fields that every schema rejects, as JSON members. */
const FORBIDDEN: Texts = {
  'a prototype': '"__proto__":{"isAdmin":true}',
  'an escaped prototype': '"\\u005f_proto__":{"isAdmin":true}',
  'nine levels of nesting': `"extra":${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
  '50,000 levels of nesting': `"extra":${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  'a name with NUL': '"a\\u0000":1',
  'a lone surrogate as name': '"\\ud83d":1',
  'a nested NUL': '"extra":[{"a":["\\u0000"]}]',
}

function forbiddenFields(schema: AnyObjectSchema): FuzzBody[] {
  const members = Object.entries(requiredFields(schema)).map(([key, text]) => `"${key}":${text}`)
  return Object.entries(FORBIDDEN).map(([name, member]) => {
    const text = `{${[...members, member]}}`
    return { name: `an extra field with ${name}`, text, isInvalid: true }
  })
}

function nonObjects(): FuzzBody[] {
  return ['[]', '[{}]', 'null', '7', '"text"', 'true'].map((text) => {
    return { name: `not an object but ${text}`, text, isInvalid: true }
  })
}

/** Each makes bodies for a route with this schema; an invalid body breaks a single rule. */
export const BODY_GENERATORS: BodyGenerator[] = [
  unusualTexts,
  extraFields,
  forbiddenFields,
  wrongTypes,
  unstorableTexts,
  wrongTexts,
  missingFields,
  nonObjects,
]
