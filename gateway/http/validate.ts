import type Koa from 'koa'
import { type AnyObjectSchema, ValidationError } from 'yup'
import { type BodyOf, bodies, type QueryOf, queries, type RouteName } from '#contract/routes'
import { API_TEXTS } from '#rules/api-texts'
import { BadInput } from './errors.ts'

const MAX_DEPTH = 8
/** Each element of a list or name of an object costs the schema a check and an error. */
const MAX_ITEMS = 100
/** Characters that Postgres cannot store: NUL and unpaired surrogates. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

function assertStorable(value: unknown, depth = 0): void {
  if (depth > MAX_DEPTH) throw new BadInput('The request is nested too deeply')
  if (typeof value === 'string' && UNSTORABLE.test(value)) {
    throw new BadInput('The request contains characters that are not allowed')
  }
  if (typeof value !== 'object' || value === null) return
  const entries = Object.entries(value)
  if (entries.length > MAX_ITEMS) {
    throw new BadInput('The request contains a list that is too long')
  }
  for (const [key, item] of entries) {
    // An own property after JSON.parse; a later copy of the object would change its prototype.
    if (key === '__proto__') throw new BadInput('The request contains names that are not allowed')
    assertStorable(key, depth + 1)
    assertStorable(item, depth + 1)
  }
}

function fieldErrors(error: ValidationError): BadInput {
  const fields: Record<string, string> = {}
  for (const { path, message, type } of error.inner.length > 0 ? error.inner : [error]) {
    // The schema's own message for a wrong type repeats the whole value: a password, or megabytes.
    if (path) fields[path] ??= type === 'typeError' ? `${path} has the wrong type` : message
  }
  return new BadInput(Object.values(fields)[0] ?? error.errors[0] ?? API_TEXTS.badRequest, fields)
}

/** Drops unknown fields before validation: yup takes a field named `constructor` for a declared one. */
function validated(schema: AnyObjectSchema, value: object): unknown {
  const given = Object.entries(value)
  const declared = given.filter(([name]) => Object.hasOwn(schema.fields, name))
  if (schema.spec.noUnknown && declared.length < given.length) {
    throw new BadInput(`Send nothing but ${Object.keys(schema.fields).join(' and ')}`)
  }
  try {
    return schema.validateSync(Object.fromEntries(declared), { strict: true, abortEarly: false })
  } catch (error) {
    throw error instanceof ValidationError ? fieldErrors(error) : error
  }
}

export const schemaOf = (schemas: Partial<Record<RouteName, AnyObjectSchema>>, route: RouteName) =>
  schemas[route]

/** Throws `BadInput` with the first invalid field's message, and every field's message by name. */
export function bodyOf<R extends RouteName>(ctx: Koa.Context, route: R): BodyOf<R> {
  const schema = schemaOf(bodies, route)
  if (!schema) return undefined as BodyOf<R>
  const body: unknown = ctx.request.body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadInput('Send a JSON object')
  }
  assertStorable(body)
  return validated(schema, body) as BodyOf<R>
}

const isNumber = (schema: AnyObjectSchema, name: string) =>
  Object.hasOwn(schema.fields, name) && schema.describe().fields[name]?.type === 'number'

/** Only plain decimals become numbers. A repeated name is a list, which no schema accepts. */
export function queryOf<R extends RouteName>(ctx: Koa.Context, route: R): QueryOf<R> {
  const schema = schemaOf(queries, route)
  if (!schema) return undefined as QueryOf<R>
  assertStorable(ctx.query)
  const read = ([name, value]: [string, unknown]) => {
    const isPlain = typeof value === 'string' && /^-?\d{1,16}(\.\d{1,16})?$/.test(value)
    return [name, isPlain && isNumber(schema, name) ? Number(value) : value]
  }
  return validated(schema, Object.fromEntries(Object.entries(ctx.query).map(read))) as QueryOf<R>
}

/** They have no schema: any text that Postgres can store. */
export function paramsOf(ctx: Koa.Context & { params?: Record<string, string> }) {
  const params = ctx.params ?? {}
  assertStorable(params)
  return params
}
