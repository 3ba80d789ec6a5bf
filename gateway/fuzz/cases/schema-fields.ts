import type { AnyObjectSchema, Schema, SchemaInnerTypeDescription } from 'yup'

export type SchemaField = {
  name: string
  type: string
  isRequired: boolean
  isNullable: boolean
  /** Maximum length of a text; absent if the schema sets none. */
  maxLength: number | undefined
  accepts(value: unknown): boolean
  /** A valid value that matches no member and no existing record. */
  valid: unknown
}

/** The valid value of a field is the first of these that it accepts. */
const CANDIDATES = [
  'nobody@test.example',
  'nobody.here',
  'Wrong horse 1',
  'https://push.test.example/nobody',
  // Keys of a push subscription.
  'a'.repeat(22),
  'a'.repeat(87),
  '2026-03-01',
  true,
  1,
  [],
  {},
]

function fieldOf(schema: AnyObjectSchema, name: string): SchemaField {
  const field = schema.fields[name] as Schema
  const { type, nullable, tests, oneOf } = field.describe() as SchemaInnerTypeDescription
  const accepts = (value: unknown) => field.isValidSync(value, { strict: true })
  const valid = [...oneOf, ...CANDIDATES].find(accepts)
  if (valid === undefined)
    throw new Error(`the field ${name} accepts none of CANDIDATES: add a value`)
  return {
    name,
    type,
    isRequired: !accepts(undefined),
    isNullable: nullable,
    maxLength: tests.find((test) => test.name === 'max')?.params?.max as number | undefined,
    accepts,
    valid,
  }
}

export function fieldsOf(schema: AnyObjectSchema): SchemaField[] {
  return Object.keys(schema.fields).map((name) => fieldOf(schema, name))
}
