import type { AnyObjectSchema, SchemaFieldDescription, SchemaInnerTypeDescription } from 'yup'
import type { JsonSchema } from './type-schemas.ts'

type Test = SchemaInnerTypeDescription['tests'][number]

/** The JSON Schema keywords of a yup test; tests of product rules have none. */
function keywordsOf({ name, params }: Test, type: string): JsonSchema {
  const isText = type === 'string'
  if (type === 'array') return name === 'max' ? { maxItems: params?.max } : {}
  if (name === 'min') return { [isText ? 'minLength' : 'minimum']: params?.min }
  if (name === 'max') return { [isText ? 'maxLength' : 'maximum']: params?.max }
  if (name === 'email') return { format: 'email' }
  if (name === 'integer') return { type: 'integer' }
  return {}
}

function fieldSchema(field: SchemaFieldDescription): JsonSchema {
  const { type, tests, oneOf, nullable, optional } = field as SchemaInnerTypeDescription
  const keywords: JsonSchema = Object.assign(
    type === 'mixed' ? {} : { type },
    // yup refuses the empty text in a required field.
    type === 'string' && !optional ? { minLength: 1 } : {},
    ...tests.map((test) => keywordsOf(test, type)),
  )
  const { innerType } = field as SchemaInnerTypeDescription
  if (innerType && !Array.isArray(innerType)) keywords.items = fieldSchema(innerType)
  if (oneOf.length > 0) Object.assign(keywords, { type: 'string', enum: oneOf })
  return nullable && keywords.type
    ? { ...keywords, type: [String(keywords.type), 'null'] }
    : keywords
}

/** The JSON Schema of a yup form. */
export function formSchema(form: AnyObjectSchema): JsonSchema {
  const { fields, tests } = form.describe()
  const required = Object.entries(fields)
    .filter(([, field]) => !(field as SchemaInnerTypeDescription).optional)
    .map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]),
    ),
    ...(required.length > 0 && { required }),
    ...(tests.some(({ name }) => name === 'noUnknown') && { additionalProperties: false }),
  }
}
