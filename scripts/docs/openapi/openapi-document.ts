import {
  AS_OF_HEADER,
  IDEMPOTENCY_HEADER,
  NEXT_CURSOR_HEADER,
  type RouteName,
} from '#contract/routes'
import { ERROR_SCHEMA, SHARED_RESPONSES } from './error-responses.ts'
import { operation } from './operation.ts'
import { eventSchemas } from './socket-events-page.ts'
import { typeSchemas } from './type-schemas.ts'

const PARAMETERS = {
  IdempotencyKey: {
    name: IDEMPOTENCY_HEADER,
    in: 'header',
    description:
      'A key that the client generates once for a command. A repeated request with the same key takes effect once and gets the first answer. Keys are stored for two days.',
    schema: { type: 'string', pattern: '^[\\w.~-]{8,128}$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the last answer; an unchanged state is answered 304 without a body.',
    schema: { type: 'string' },
  },
}

const HEADERS = {
  ETag: {
    description: 'Identifies the state. What only the passing of time changes does not change it.',
    schema: { type: 'string' },
  },
  AsOf: {
    description: `${AS_OF_HEADER}: time of the database at which the list was read, ms.`,
    schema: { type: 'number' },
  },
  NextCursor: {
    description: `${NEXT_CURSOR_HEADER}: value of \`before\` for the next page; absent on the last.`,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tesp',
    description:
      'Set by POST /api/login and POST /api/register, together with its signature `tesp.sig`. Behind TLS both names begin with `__Host-`.',
  },
}

/** By route; `closed` schemas refuse undeclared properties. */
export const answerSchemas = (closed = false) => typeSchemas('Answers', closed)

export function openApiDocument(version: string): object {
  const { properties, definitions } = answerSchemas()
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, answer] of Object.entries(properties)) {
    const [method = '', path = ''] = name.split(' ')
    const key = path.replace(/:(\w+)/g, '{$1}')
    paths[key] = { ...paths[key], [method.toLowerCase()]: operation(name as RouteName, answer) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'TESP Network',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'REST interface of the gateway. docs/api.md explains sign-in, idempotency, ETags and errors; docs/socket-events.md lists the events of the socket. Amounts are decimals in text with 8 places, times are ISO 8601 texts, durations are milliseconds.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { ...definitions, ...eventSchemas().definitions, Error: ERROR_SCHEMA },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: SHARED_RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
