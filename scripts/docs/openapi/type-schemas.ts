import path from 'node:path'
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  SchemaGenerator,
} from 'ts-json-schema-generator'
import { ROOT } from '#runtime/process/root'

export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
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

function withComponentRefs<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', `"${COMPONENTS}`)) as T
}

const CONFIG = {
  ...DEFAULT_CONFIG,
  path: path.join(ROOT, 'gateway/contract/{events,routes}.ts'),
  tsconfig: path.join(ROOT, 'tsconfig.json'),
  skipTypeCheck: true,
  expose: 'export' as const,
  topRef: false,
  jsDoc: 'extended' as const,
  functions: 'comment' as const,
}

let program: ReturnType<typeof createProgram> | undefined

/** Comments become descriptions. `closed` schemas refuse undeclared properties. Types are not checked. */
export function typeSchemas(type: string, closed = false): TypeSchemas {
  // Reading the sources takes a second of CPU time.
  program ??= createProgram(CONFIG)
  const config = { ...CONFIG, additionalProperties: !closed }
  const generator = new SchemaGenerator(
    program,
    createParser(program, config),
    createFormatter(config),
    config,
  )
  const schema = generator.createSchema(type) as JsonSchema
  const { properties = {}, definitions = {} } = withComponentRefs(schema)
  return { properties, definitions: definitions as Record<string, JsonSchema> }
}
