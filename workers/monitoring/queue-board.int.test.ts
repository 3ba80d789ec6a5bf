import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { roleEnv, roleProcess } from '#scripts/testing/db/role-process'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { startWorkers } from '#workers/server'

const PASSWORD = 'a long operators password'
let context: TestContext
let workers: { close(): Promise<void> }
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  context = await testContext({ WORKERS_PORT: String(port), OPS_PASSWORD: PASSWORD })
  workers = await startWorkers(context.config)
})
afterAll(async () => {
  await workers.close()
  await context.close()
})

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const operator = basic('ops', PASSWORD)
const get = (path: string, headers: Record<string, string> = operator, method = 'GET') =>
  fetch(`${url}${path}`, { headers, method })

it.each([
  ['no credentials', {}],
  ['a wrong password', basic('ops', 'a wrong operators password')],
  ['a wrong user', basic('root', PASSWORD)],
  ['broken credentials', { Authorization: 'Basic' }],
])('the board of the queues is closed to %s', async (_, headers) => {
  for (const path of ['/queues', '/queues/', '/queues/api/queues', '/queues/static/none.js']) {
    const answer = await get(path, headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic/)
    expect(await answer.text()).toBe('')
  }
})

it('the board shows every queue and its jobs', async () => {
  await context.mailQueue.add('send-mail', { mailId: 7 }, { delay: 600_000, jobId: 'mail-7' })
  expect(await (await get('/queues/')).text()).toContain('<div id="root"')
  const answer = await get('/queues/api/queues?activeQueue=send-mail&status=delayed')
  const { queues } = (await answer.json()) as { queues: { name: string; jobs: { id: string }[] }[] }
  expect(queues.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['sweep-credits', 'end-sessions', 'send-mail', 'maintenance']),
  )
  expect(queues.find(({ name }) => name === 'send-mail')?.jobs.map(({ id }) => id)).toEqual([
    'mail-7',
  ])
})

it('the board changes nothing', async () => {
  await context.mailQueue.add('send-mail', { mailId: 8 }, { delay: 600_000, jobId: 'mail-8' })
  for (const action of ['mail-8/promote', 'mail-8/clean', 'pause', 'empty']) {
    const answer = await get(`/queues/api/queues/send-mail/${action}`, operator, 'PUT')
    expect(answer.status).toBeGreaterThanOrEqual(400)
  }
  expect(await context.mailQueue.isPaused()).toBe(false)
  expect(await (await context.mailQueue.getJob('mail-8'))?.getState()).toBe('delayed')
})

it('metrics and probes need no password', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await get(path, {})).status).toBe(200)
  }
})

it('a bundled workers process serves the board and its files', async () => {
  const port = String(await freePort())
  const env = { ...roleEnv(context.config), HOST: '127.0.0.1', WORKERS_PORT: port }
  const role = roleProcess('workers', { ...env, OPS_PASSWORD: PASSWORD })
  onTestFinished(() => role.end('SIGTERM'))
  await role.ready
  const fetched = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: operator })
  const page = await (await fetched('/queues/')).text()
  expect(page).not.toContain('<%')
  const [, script] = /src="(static\/js\/main[^"]+)"/.exec(page) ?? []
  const answer = await fetched(`/queues/${script}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Content-Type')).toContain('javascript')
})
