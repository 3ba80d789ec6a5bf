import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { readText } from '#scripts/testing/read-file'
import { runScript, ServerProcess } from '#trials/kit/child'
import { reportTime } from '#trials/kit/report'
import { Stage } from '#trials/kit/stage'
import { addTrialMigration, buildRolesOf, checkOut } from '#trials/upgrade/checkout'

const CLIENTS = 16
/** Restarts go on until so many requests were sent: fewer would not meet the moments between them. */
const REQUESTS = 4_000

/** docs/deploy/nginx.conf for these gateways, without TLS. */
function nginxConfig(port: number, gateways: number[]): string {
  let n = 0
  const site = readText('docs/deploy/nginx.conf')
    .replace(/^server \{\n {4}listen 80;[^}]*\}\n/m, '')
    .replace(/^ {4}(ssl_.*|listen \[::\].*)\n/gm, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replace(/127\.0\.0\.1:300\d/g, () => `127.0.0.1:${gateways[n++]}`)
    // The port of the trial belongs to its origin.
    .replace('Host $host', 'Host $http_host')
  return `daemon off; pid nginx.pid; error_log stderr;
events {}
http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
uwsgi_temp_path uwsgi; scgi_temp_path scgi;
${site}
}
`
}

let database: TestDatabase
let stage: Stage
let nginx: ServerProcess
let clients: Visitor[]
/** Other releases; every account may enter it. */
const releases = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-releases-'))

beforeAll(async () => {
  database = await testDatabase()
  stage = await Stage.start(database, { workers: 1, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const port = await freePort()
  nginx = new ServerProcess('nginx', fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-nginx-')))
  const config = nginx.write('nginx.conf', nginxConfig(port, stage.ports))
  nginx.launch(['-p', nginx.folder, '-c', config])
  const url = `http://127.0.0.1:${port}`
  await nginx.until(() => fetch(`${url}/healthz`).then(({ ok }) => ok))
  const behindProxy = { ...stage.product, urls: [url] }
  clients = await Promise.all(Array.from({ length: CLIENTS }, () => newMember(behindProxy)))
})
afterAll(async () => {
  await nginx?.remove()
  await stage?.stop()
  await database?.drop()
  fs.rmSync(releases, { recursive: true, force: true })
})

/** A read or a command, in turn; nginx, which may not repeat a command, answers in HTML. */
async function sendOne(client: Visitor, n: number): Promise<number> {
  const command = n % 4 === 0 ? 'stop' : 'start'
  const [method, path] = n % 2 === 0 ? ['POST', command] : ['GET', 'status']
  const answer = await client.fetch(`/api/mining/${path}`, 0, { method })
  await answer.arrayBuffer()
  return answer.status
}

/** What each restart of the loop changes: the settings, or the release in whose folder the gateway starts. */
type Change = { env?: NodeJS.ProcessEnv; root?: string }

/** Requests by status while gateways are restarted; a lost connection counts as 0. */
async function requestsDuring(changes: Change[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const sent = () => Object.values(counts).reduce((sum, count) => sum + count, 0)
  let isRunning = true
  const senders = clients.map(async (client) => {
    for (let n = 1; isRunning; n += 1) {
      const status = await sendOne(client, n).catch(() => 0)
      counts[status] = (counts[status] ?? 0) + 1
    }
  })
  for (let round = 0; sent() < REQUESTS || round < changes.length; round += 1) {
    await restartGateways(changes[round % changes.length] ?? {})
  }
  isRunning = false
  await Promise.all(senders)
  return counts
}

/** The loop of the runbook: the next gateway as soon as this one is ready, without a pause. */
async function restartGateways({ env = {}, root }: Change): Promise<void> {
  for (const index of stage.ports.keys()) {
    expect(await stage.gateway(index).restart(env, root)).toBe(0)
  }
}

/** The next release with one more migration, which has run: gateways start in its folder, and back in this one. */
async function nextRelease(): Promise<Change[]> {
  const newer = path.join(releases, 'newer')
  await checkOut('HEAD', newer)
  addTrialMigration(newer)
  await buildRolesOf(newer)
  await runScript('migrate', [], { DATABASE_URL: database.url }, newer)
  return [{ root: newer }, { root: ROOT }]
}

it.each<[string, () => Change[] | Promise<Change[]>]>([
  ['restart', () => [{}]],
  // A signature that both keys accept, as docs/operations/secrets.md says.
  [
    'change of secrets',
    () => {
      const added = `${stage.env.SESSION_KEYS},${randomBytes(32).toString('hex')}`
      return [{ env: { SESSION_KEYS: added } }]
    },
  ],
  ['upgrade and rollback', nextRelease],
])('behind nginx a rolling %s answers every request', async (name, change) => {
  const changes = await change()
  const startedAt = Date.now()
  const counts = await requestsDuring(changes)
  reportTime(`rolling ${name}, ${JSON.stringify(counts)}`, Date.now() - startedAt)
  const failed = Object.entries(counts).filter(
    ([status]) => status === '0' || Number(status) >= 500,
  )
  expect(failed).toEqual([])
})
