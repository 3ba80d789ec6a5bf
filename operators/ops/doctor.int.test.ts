import { once } from 'node:events'
import fs from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIGRATIONS } from '#db/migrations/index'
import { operate } from '#operators/ops/testing/operate'
import { DAY_MS } from '#rules/constants'
import { productVersion } from '#runtime/process/root'
import { redisForRequests } from '#runtime/redis'
import { listProcess, readProcesses } from '#runtime/redis/process-list'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { testFolder } from '#scripts/testing/temp-folder'
import { mailServer } from '#scripts/testing/workers/mail-server'
import { certificateFinding } from './doctor-outside.ts'

const product = useProduct()
const behindProxy = useProduct({ env: { TRUSTED_PROXIES: '127.0.0.1' } })

/** Serves until the test ends; returns its origin. */
async function serve(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A proxy on this machine that passes on what clients send, except these headers, which it sets itself. */
function proxyTo(origin: string, sets: string[]): Server {
  return createServer(async (request, response) => {
    if (request.url?.startsWith('/socket.io/')) return void response.writeHead(401).end()
    const own = { 'x-forwarded-for': '127.0.0.1', 'x-request-id': 'made-by-the-proxy' }
    const headers = { ...(request.headers as Record<string, string>) }
    for (const [name, value] of Object.entries(own)) if (sets.includes(name)) headers[name] = value
    const answer = await fetch(`${origin}${request.url}`, { headers })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end()
  })
}

type Finding = { check: string; result: string; says: string; do: string | null }
let printed = ''

/** Findings by check; `operate` rejects if one is wrong. */
async function examine(change: Partial<typeof product.config> = {}) {
  const lines: string[] = []
  const place = { db: product.db, config: { ...product.config, ...change } }
  const outcome = await operate(place, 'doctor', [], { json: true }, (text) =>
    lines.push(text),
  ).catch(String)
  printed = lines.join('\n')
  const findings: Finding[] = JSON.parse(printed)
  return { outcome, of: (name: string) => findings.find(({ check }) => check === name) }
}

it('a sound product has no wrong finding', async () => {
  const server = await mailServer()
  await server.start()
  onTestFinished(() => server.stop())
  const { of } = await examine({ smtpUrl: server.url })
  for (const name of ['database', 'schema', 'clock', 'redis', 'workers', 'mail']) {
    expect(of(name), name).toMatchObject({ result: 'ok', do: null })
  }
})

it('without --json each check is a line with what to do', async () => {
  const lines: string[] = []
  await operate(product, 'doctor', [], {}, (text) => lines.push(text)).catch(() => {})
  expect(lines.join('\n').split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^ok {5}database {5}PostgreSQL \d/),
      'check  mail         SMTP_URL is not set → set it: members need codes by mail',
    ]),
  )
})

it('a missing migration, a refused mail server and an unreachable origin are named with what to do', async () => {
  const [{ name }] = await product.db('knex_migrations').orderBy('name', 'desc').limit(1)
  await product.db('knex_migrations').where({ name }).delete()
  const { outcome, of } = await examine({
    smtpUrl: 'smtp://127.0.0.1:1',
    publicOrigins: ['http://127.0.0.1:1'],
  })
  await product.db('knex_migrations').insert({ name, batch: 1 })
  expect(outcome).toContain('doctor found something wrong')
  expect(of('schema')).toMatchObject({
    result: 'wrong',
    says: `lacks ${name}`,
    do: 'npm run migrate',
  })
  expect(of('mail')?.says).toMatch(/^Nothing accepts connections there/)
  expect(of('proxy')).toMatchObject({ result: 'wrong' })
})

it('a schema from before the first release is named in one sentence, without an advice that misleads', async () => {
  const [baseline] = Object.keys(MIGRATIONS)
  const rename = (from = '', to = '') =>
    product.db('knex_migrations').where({ name: from }).update({ name: to })
  await rename(baseline, '001-baseline')
  onTestFinished(async () => void (await rename('001-baseline', baseline)))
  expect((await examine()).of('schema')).toMatchObject({
    says: expect.stringMatching(/^The database was made by a version .* before the first release/),
    do: null,
  })
})

it('versions: a missing role is named, and one of another release beside this one', async () => {
  expect((await examine()).of('versions')).toMatchObject({
    result: 'wrong',
    says: 'no workers process runs',
  })
  const workers = await product.startWorkers()
  onTestFinished(() => workers.close())
  const says = async () => (await examine()).of('versions')?.says
  await expect.poll(says).toBe(`1 gateway, 1 workers, all of ${productVersion()}`)
  const { redisUrl, redisPrefix } = product.config
  const redis = redisForRequests(redisUrl)
  onTestFinished(() => redis.disconnect())
  const list = (id: string, at: number) =>
    redis.hset(
      `${redisPrefix}:processes`,
      id,
      JSON.stringify({ role: 'gateway', version: '0.0.9', at }),
    )
  await list('killed', Date.now() - 100_000)
  expect(await says()).toBe(`1 gateway, 1 workers, all of ${productVersion()}`)
  await list('older', Date.now())
  expect((await examine()).of('versions')).toMatchObject({
    result: 'check',
    says: `gateway 0.0.9 beside ${productVersion()}`,
  })
})

it('a process that stops is not listed any more', async () => {
  const { redisUrl } = product.config
  const redis = redisForRequests(redisUrl)
  onTestFinished(() => redis.disconnect())
  const listed = listProcess(redis, 'elsewhere', 'workers')
  await expect.poll(() => readProcesses(redis, 'elsewhere')).toHaveLength(1)
  await listed.stop()
  expect(await readProcesses(redis, 'elsewhere')).toEqual([])
})

it('proxy: a reachable gateway whose sockets open is fine; a client address that clients choose is not', async () => {
  const [origin = ''] = product.urls
  const direct = await examine({ publicOrigins: [origin] })
  expect(direct.of('proxy')).toMatchObject({
    result: 'check',
    says: `${origin} answers; no proxy is trusted`,
  })
  expect(direct.of('tls')).toMatchObject({ result: 'check', says: `${origin} has no TLS` })
  const [trusting = ''] = behindProxy.urls
  const { redisPrefix, trustedProxies } = behindProxy.config
  const behind = { redisPrefix, trustedProxies }
  const forged = async (origin: string) =>
    (await examine({ ...behind, publicOrigins: [origin] })).of('proxy')
  expect(await forged(trusting)).toMatchObject({
    result: 'wrong',
    says: expect.stringContaining('clients can choose their address'),
  })
  const ingress = await serve(proxyTo(trusting, ['x-forwarded-for']))
  expect(await forged(ingress)).toMatchObject({
    result: 'check',
    says: `${ingress} answers; clients can choose request ids`,
  })
  const nginx = await serve(proxyTo(trusting, ['x-forwarded-for', 'x-request-id']))
  expect(await forged(nginx)).toMatchObject({ result: 'ok' })
})

it('proxy: something else at the origin, and a proxy without WebSockets, are wrong', async () => {
  const answer = { 'X-Request-Id': 'made by the gateway' }
  const proxy = createServer((request, response) => {
    const isSocket = request.url?.startsWith('/socket.io/')
    response.writeHead(isSocket ? 400 : 200, answer).end()
  })
  expect((await examine({ publicOrigins: [await serve(proxy)] })).of('proxy')).toMatchObject({
    result: 'wrong',
    says: 'a WebSocket is answered 400',
  })
  const other = createServer((_, response) => void response.end('hello'))
  expect((await examine({ publicOrigins: [await serve(other)] })).of('proxy')).toMatchObject({
    result: 'wrong',
    says: expect.stringContaining('is no gateway of this product'),
  })
})

it('base backup: the newest verified one counts, an old one and none are wrong', async () => {
  const backupFolder = testFolder()
  const of = async () => (await examine({ backupFolder })).of('base backup')
  expect(await of()).toMatchObject({ result: 'wrong', says: `no base backup in ${backupFolder}` })
  fs.mkdirSync(path.join(backupFolder, '2026-11-20'))
  fs.utimesSync(path.join(backupFolder, '2026-11-20'), 0, Date.now() / 1_000 - 3 * 86_400)
  expect(await of()).toMatchObject({ result: 'wrong', says: expect.stringContaining('of 1 is of') })
  fs.mkdirSync(path.join(backupFolder, '2026-11-22.part'))
  expect(await of()).toMatchObject({ result: 'wrong', says: expect.stringContaining('of 1 is of') })
  fs.mkdirSync(path.join(backupFolder, '2026-11-23'))
  expect(await of()).toMatchObject({ result: 'ok', says: expect.stringContaining('of 2 is of') })
})

/** A Prometheus with these targets, firing alerts and receivers. */
function prometheus(targets: [string, string][], firing: string[], told: string[]): Server {
  const rule = (name: string) => ({
    name,
    state: firing.includes(name) ? 'firing' : 'inactive',
    annotations: { action: 'start workers' },
  })
  const data: Record<string, unknown> = {
    targets: {
      activeTargets: targets.map(([job, health]) => ({
        labels: { job },
        health,
        scrapeUrl: `http://${job}:9100/metrics`,
      })),
    },
    rules: {
      groups: [
        { name: 'tesp', rules: ['CreditsLate', 'WorkersAway'].map(rule) },
        // kube-prometheus-stack has its own rules; this one always fires, so that its silence is noticed.
        { name: 'general.rules', rules: [{ ...rule('Watchdog'), state: 'firing' }] },
      ],
    },
    alertmanagers: { activeAlertmanagers: told.map((url) => ({ url })) },
  }
  return createServer((request, response) => {
    const name = /^\/api\/v1\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
    response.end(JSON.stringify({ status: 'success', data: data[name] }))
  })
}

it.each<[string, Server, Record<string, string>]>([
  [
    'everything is watched',
    prometheus(
      [
        ['gateway', 'up'],
        ['workers', 'up'],
      ],
      [],
      ['http://127.0.0.1:1/api/v2/alerts'],
    ),
    {
      metrics: 'ok: 1 gateways and 1 workers are scraped',
      alerts: 'ok: 2 rules, none fires, Alertmanager tells of them',
    },
  ],
  [
    'a process is not scraped and nobody is told',
    prometheus(
      [
        ['gateway', 'up'],
        ['workers', 'down'],
      ],
      [],
      [],
    ),
    {
      metrics: 'wrong: not scraped: http://workers:9100/metrics',
      alerts: 'check: 2 rules, but nobody is told',
    },
  ],
  [
    'an alert fires',
    prometheus([['gateway', 'up']], ['WorkersAway'], []),
    {
      metrics: 'wrong: no workers is scraped',
      alerts: 'wrong: firing: WorkersAway',
    },
  ],
])('metrics and alerts: %s', async (_, server, expected) => {
  const { of } = await examine({ prometheusUrl: await serve(server) })
  const found = ['metrics', 'alerts'].map((name) => [
    name,
    `${of(name)?.result}: ${of(name)?.says}`,
  ])
  expect(Object.fromEntries(found)).toEqual(expected)
})

it('without Prometheus metrics and alerts say what to do', async () => {
  const { of } = await examine({ prometheusUrl: 'http://127.0.0.1:1' })
  for (const name of ['metrics', 'alerts']) {
    expect(of(name)).toMatchObject({
      result: 'check',
      do: 'docs/monitoring.md, or set PROMETHEUS_URL',
    })
  }
})

it('a certificate that was not renewed in time is wrong', () => {
  const now = Date.now()
  const of = (days: number) => certificateFinding(new Date(now + days * DAY_MS), 'TLSv1.3', now)
  expect(of(13.5)).toMatchObject({
    result: 'wrong',
    says: 'TLSv1.3, the certificate ends in 13 days',
  })
  expect(of(60)).toMatchObject({ result: 'ok' })
})
