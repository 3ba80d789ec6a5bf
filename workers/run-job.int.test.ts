import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLog } from '#runtime/log'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import type { Handler } from './job.ts'
import { runJob } from './job.ts'

let context: TestContext
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  const write = (line: string) => void lines.push(JSON.parse(line))
  context = { ...(await testContext()), log: createLog('test', 'debug', { write }) }
})
afterAll(() => context.close())
beforeEach(() => {
  lines.length = 0
})

const run = (handler: Handler<'send-mail'>, data: { mailId: number; requestId?: string }) =>
  runJob(context, handler, { name: 'send-mail', data })
const logs: Handler<'send-mail'> = async ({ log }) => log.info('in the handler')

it('every log line of a job carries the request id of its cause', async () => {
  await run(logs, { mailId: 1, requestId: 'press-0001' })
  expect(lines).toMatchObject([
    { msg: 'in the handler', requestId: 'press-0001' },
    { msg: 'job finished', requestId: 'press-0001', job: 'send-mail' },
  ])
})

it('a job without a cause gets a new request id', async () => {
  await run(logs, { mailId: 1 })
  await run(logs, { mailId: 1 })
  const [first, second, third] = lines.map((line) => line.requestId)
  expect(first).toMatch(/^[\w-]{36}$/)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

it('a failed job is logged with its error, counted, measured and thrown', async () => {
  const fails: Handler<'send-mail'> = async () => {
    throw new Error('no route to host')
  }
  await expect(run(fails, { mailId: 1, requestId: 'press-0002' })).rejects.toThrow('no route')
  expect(lines).toMatchObject([
    { requestId: 'press-0002', job: 'send-mail', err: { message: 'no route to host' } },
  ])
  const text = await context.metrics.registry.metrics()
  expect(text).toContain('jobs_failed_total{queue="send-mail"} 1')
  expect(text).toContain('job_seconds_count{queue="send-mail"}')
})
