import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { bodies, queries } from '#contract/routes'
import { ROUTES } from '#gateway/routes/index'
import { readText } from '#scripts/testing/read-file'

type Operation = { operationId: string; requestBody?: object; parameters?: object[] }
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> }

const text = readText('docs/openapi.json')
const document: Document = JSON.parse(text)

/** `GET /api/check/email/:email` and the like. */
const operations = Object.entries(document.paths).flatMap(([key, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const route = `${method.toUpperCase()} ${key.replace(/\{(\w+)\}/g, ':$1')}`
    return [route, operation] as const
  }),
)

it('docs/openapi.json is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('docs/openapi.json without a required member is found invalid', async () => {
  const { openapi, paths } = document
  expect(await new Validator().validate({ openapi, paths })).toMatchObject({ valid: false })
})

it('docs/openapi.json describes every route and no other', () => {
  const routes = operations.map(([route]) => route).sort()
  expect(routes).toEqual(Object.keys(ROUTES).sort())
})

it('every operation in docs/openapi.json has its own operationId', () => {
  const ids = operations.map(([, { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('every form of the contract is the request body of its operation', () => {
  const withBody = operations.filter(([, { requestBody }]) => requestBody).map(([route]) => route)
  expect(withBody.sort()).toEqual([...Object.keys(bodies), 'POST /api/user/kyc'].sort())
})

it('every query schema of the contract is a list of parameters of its operation', () => {
  const byRoute = new Map(operations)
  for (const [route, { fields }] of Object.entries(queries)) {
    const expected = Object.keys(fields).map((name) => ({ name, in: 'query' }))
    expect(byRoute.get(route)?.parameters).toMatchObject(expected)
  }
})

it('every reference in docs/openapi.json has a target', () => {
  for (const [, reference = ''] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
    const target = reference
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document)
    expect(target, reference).toBeDefined()
  }
})
