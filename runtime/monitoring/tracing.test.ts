import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { NO_TRACING, startTracing, type Tracing } from './tracing.ts'

type SentSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number; message?: string }
  attributes: { key: string; value: { stringValue?: string } }[]
}

const spans: SentSpan[] = []
const paths: string[] = []
const collector = createServer(async (request, response) => {
  paths.push(request.url ?? '')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const sent = JSON.parse(Buffer.concat(chunks).toString())
  for (const { scopeSpans } of sent.resourceSpans) {
    for (const scope of scopeSpans) spans.push(...scope.spans)
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
})
let tracing: Tracing

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  tracing = await startTracing('gateway', `http://127.0.0.1:${port}`)
})
afterAll(() => new Promise((resolve) => collector.close(resolve)))

it('without an endpoint nothing is traced', async () => {
  expect(await startTracing('gateway', undefined)).toBe(NO_TRACING)
  const requestId = 'press-0001'
  const cause = await NO_TRACING.span('INTERNAL', 'work', { requestId }, async (span) => span.cause)
  expect(cause).toEqual({ requestId })
})

it('spans of a request and of the job that it causes are one trace with its request id', async () => {
  const press = { requestId: 'press-0001' }
  const job = await tracing.span('SERVER', 'POST', press, async (span) => {
    span.rename('POST /api/verify/send-otp')
    return span.cause
  })
  const failing = tracing.span('CONSUMER', 'send-mail', job, () =>
    Promise.reject(new RangeError('ann@test.example')),
  )
  await expect(failing).rejects.toThrow('ann@test.example')
  await tracing.span('SERVER', 'GET', press, async (span) => span.fail())
  await tracing.close()
  expect(paths).toEqual(['/v1/traces'])
  const [request, mail] = spans
  expect(request).toMatchObject({ name: 'POST /api/verify/send-otp' })
  expect(request?.parentSpanId ?? '').toBe('')
  expect(mail).toMatchObject({
    name: 'send-mail',
    traceId: request?.traceId,
    parentSpanId: request?.spanId,
    status: { code: 2, message: 'RangeError' },
  })
  expect(spans[2]).toMatchObject({ name: 'GET', status: { code: 2 } })
  for (const { attributes } of spans) {
    expect(attributes).toContainEqual({ key: 'request.id', value: { stringValue: 'press-0001' } })
  }
  expect(JSON.stringify(spans)).not.toContain('ann@')
})

it('a collector that does not answer makes no stop fail', async () => {
  const unheard = await startTracing('gateway', `http://127.0.0.1:${await freePort()}`)
  await unheard.span('INTERNAL', 'lost', { requestId: 'press-0002' }, async () => {})
  await unheard.close()
})
