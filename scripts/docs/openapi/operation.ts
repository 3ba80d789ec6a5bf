import type { AnyObjectSchema, SchemaFieldDescription, SchemaInnerTypeDescription } from 'yup'
import { kycForm } from '#contract/forms/document'
import { AS_OF_HEADER, bodies, NEXT_CURSOR_HEADER, queries, type RouteName } from '#contract/routes'
import type { RouteFacts } from '#gateway/http/route'
import { ROUTES } from '#gateway/routes/index'
import type { RuleCode } from '#rules/rule-error'
import { errorResponses } from './error-responses.ts'
import type { JsonSchema } from './type-schemas.ts'

type Test = SchemaInnerTypeDescription['tests'][number]

/** Tests of product rules have no keywords. */
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

function formSchema(form: AnyObjectSchema): JsonSchema {
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

const KYC: RouteName = 'POST /api/user/kyc'

const OWN_HEADERS: Partial<Record<RouteName, Record<string, object>>> = {
  'GET /api/wallet/activity': {
    [AS_OF_HEADER]: { $ref: '#/components/headers/AsOf' },
    [NEXT_CURSOR_HEADER]: { $ref: '#/components/headers/NextCursor' },
  },
  'GET /api/wallet/statement': {
    'Content-Disposition': { description: 'File name.', schema: { type: 'string' } },
  },
  'POST /api/user/export': {
    'Content-Disposition': { description: 'File name.', schema: { type: 'string' } },
  },
}

const ANSWER_TYPES: Partial<Record<RouteName, string>> = { 'GET /api/wallet/statement': 'text/csv' }

function requestBody(route: RouteName): object | undefined {
  if (route === KYC) {
    const { properties, required = [] } = formSchema(kycForm)
    // JSON Schema has no bytes; OpenAPI writes them as a part without a type.
    const document = { contentMediaType: 'application/octet-stream' }
    const schema = {
      type: 'object',
      properties: { ...properties, document },
      required: [...required, 'document'],
    }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  const form = (bodies as Partial<Record<RouteName, AnyObjectSchema>>)[route]
  if (!form) return undefined
  return { required: true, content: { 'application/json': { schema: formSchema(form) } } }
}

function parameters(route: RouteName, { idempotent, etag }: RouteFacts): object[] {
  const query = (queries as Partial<Record<RouteName, AnyObjectSchema>>)[route]
  const inPath = [...route.matchAll(/:(\w+)/g)].map(([, name]) => {
    return { name, in: 'path', required: true, schema: { type: 'string' } }
  })
  const inQuery = Object.entries(query ? (formSchema(query).properties ?? {}) : {}).map(
    ([name, schema]) => ({ name, in: 'query', schema }),
  )
  return [
    ...inPath,
    ...inQuery,
    ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(etag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ]
}

function errorsOf(route: RouteName, facts: RouteFacts): Record<string, object> {
  const hasBody = route in bodies || route === KYC
  const takesInput = hasBody || route in queries || route.includes(':') || facts.idempotent
  const codes: RuleCode[] = [
    ...(takesInput ? (['bad_input'] as const) : []),
    ...(facts.idempotent ? (['command_cancelled'] as const) : []),
    ...(facts.access === 'member' ? (['not_signed_in'] as const) : []),
    ...(route.startsWith('GET ') ? [] : (['cross_site'] as const)),
    ...(facts.errors ?? []),
  ]
  const statuses = route === KYC ? [413] : hasBody ? [413, 415] : []
  return errorResponses(codes, statuses)
}

/** `getMiningStatus` for `GET /api/mining/status`. */
function operationId(route: RouteName): string {
  const [method = '', path = ''] = route.replace('/api', '').split(' ')
  const words = path.split(/[^A-Za-z]+/).filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

export function operation(route: RouteName, answer: JsonSchema): object {
  const facts: RouteFacts = ROUTES[route]
  const allParameters = parameters(route, facts)
  const body = requestBody(route)
  const headers = {
    ...(facts.etag && { ETag: { $ref: '#/components/headers/ETag' } }),
    ...OWN_HEADERS[route],
  }
  return {
    operationId: operationId(route),
    tags: [facts.tag],
    summary: facts.summary,
    security: facts.access === 'member' ? [{ session: [] }] : [],
    ...(allParameters.length > 0 && { parameters: allParameters }),
    ...(body && { requestBody: body }),
    responses: {
      200: {
        description: 'The answer.',
        ...(Object.keys(headers).length > 0 && { headers }),
        content: { [ANSWER_TYPES[route] ?? 'application/json']: { schema: answer } },
      },
      ...(facts.etag && { 304: { description: 'The client has this state already.' } }),
      ...errorsOf(route, facts),
    },
  }
}
