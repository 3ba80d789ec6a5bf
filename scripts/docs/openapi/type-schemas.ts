import path from 'node:path'
import { createGenerator } from 'ts-json-schema-generator'
import { ROOT } from '#runtime/process/root'

/** A JSON Schema as this folder reads and writes it. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  $comment?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  enum?: unknown[]
  [keyword: string]: unknown
}

/** Schemas of a type's properties, and of the named types that they refer to. */
export type TypeSchemas = {
  properties: Record<string, JsonSchema>
  definitions: Record<string, JsonSchema>
}

const COMPONENTS = '#/components/schemas/'

/** Puts the references where an OpenAPI document keeps its schemas. */
function withComponentRefs<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', `"${COMPONENTS}`)) as T
}

/**
 * Derives JSON Schemas from an exported type of a source file, with its comments as descriptions.
 * `closed` schemas refuse properties that the type does not declare. Types are not checked.
 */
export function typeSchemas(file: string, type: string, closed = false): TypeSchemas {
  const schema = createGenerator({
    path: path.join(ROOT, file),
    tsconfig: path.join(ROOT, 'tsconfig.json'),
    skipTypeCheck: true,
    expose: 'export',
    topRef: false,
    jsDoc: 'extended',
    functions: 'comment',
    additionalProperties: !closed,
  }).createSchema(type) as JsonSchema
  const { properties = {}, definitions = {} } = withComponentRefs(schema)
  return { properties, definitions: definitions as Record<string, JsonSchema> }
}
