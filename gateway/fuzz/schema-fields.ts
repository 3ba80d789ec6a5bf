import type { AnyObjectSchema, Schema, SchemaInnerTypeDescription } from 'yup'

/** What a schema says of one field. */
export type Field = {
  name: string
  type: string
  isRequired: boolean
  isNullable: boolean
  /** Most characters of a text; absent, as many as fit into a request. */
  longest: number | undefined
  accepts(value: unknown): boolean
  /** A value that fits and names nobody and nothing that exists. */
  fine: unknown
}

/** The first of these that a field accepts is its fine value. */
const CANDIDATES = ['nobody@test.example', 'nobody.here', 'Wrong horse 1', true, 1, [], {}]

function fieldOf(schema: AnyObjectSchema, name: string): Field {
  const field = schema.fields[name] as Schema
  const { type, nullable, tests, oneOf } = field.describe() as SchemaInnerTypeDescription
  const accepts = (value: unknown) => field.isValidSync(value, { strict: true })
  const fine = [...oneOf, ...CANDIDATES].find(accepts)
  if (fine === undefined) throw new Error(`no candidate fits the field ${name}: add one`)
  return {
    name,
    type,
    isRequired: !accepts(undefined),
    isNullable: nullable,
    longest: tests.find((test) => test.name === 'max')?.params?.max as number | undefined,
    accepts,
    fine,
  }
}

/** The fields of a schema, in its order. */
export function fieldsOf(schema: AnyObjectSchema): Field[] {
  return Object.keys(schema.fields).map((name) => fieldOf(schema, name))
}
