import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'
import { run } from '#scripts/embedded/run-program'
import { ensurePeers } from '#trials/bench/peers'
import { startMembers } from '#trials/containers/members'
import type { Trial } from '#trials/kit/trial'
import { repeating, until } from '#trials/kit/until'
import { type KubeObject, RELEASE, Renderer, schemaProblems } from './chart.ts'
import { PodmanCluster, podman } from './podman.ts'

const ORIGIN = 'https://tesp.example'
const IMAGE = { repository: 'localhost/tesp-network', tag: 'trial', pullPolicy: 'Never' }
const { NODE_IMAGE, POSTGRES_IMAGE, REDIS_IMAGE } = process.env

const VALUES: Record<string, Record<string, unknown>> = {
  'only an image and an origin': {},
  'KEDA, Prometheus and an ingress': {
    autoscaling: { mode: 'keda' },
    monitoring: { enabled: true, labels: { release: 'prometheus' } },
    // An ingress takes hosts without a port.
    origin: `${ORIGIN}:8443,https://www.tesp.example`,
    ingress: { enabled: true, className: 'nginx', tlsSecretName: 'tesp-tls' },
    networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] },
    gateway: { nodeSelector: { pool: 'web' }, tolerations: [{ operator: 'Exists' }] },
    image: { ...IMAGE, pullSecrets: [{ name: 'registry' }] },
    filesSecretName: 'files',
  },
  'a console': { console: { enabled: true } },
  'a console behind a proxy': {
    console: {
      enabled: true,
      origin: 'https://console.tesp.example',
      from: [{ namespaceSelector: {} }],
    },
  },
  'autoscalers by CPU': { autoscaling: { mode: 'hpa' } },
  'a trial': { trial: { enabled: true } },
}

async function checkChart({ report }: Trial, renderer: Renderer): Promise<void> {
  for (const [name, values] of Object.entries(VALUES)) {
    const objects = renderer.render({ image: IMAGE, origin: ORIGIN, ...values })
    const problems = await schemaProblems(objects)
    report.check(`schemas of ${objects.length} objects with ${name}: violations`, problems)
  }
  const broken = renderer.render({ image: IMAGE, origin: ORIGIN })
  for (const object of broken) if (object.kind === 'Deployment') object.spec.replicas = 'two'
  const found = await schemaProblems(broken)
  report.expect('deployments with a text for a number that schemas reject', found.length, 2)
}

/** A proxy with TLS, as an ingress controller is one; requests take turns. */
async function openIngress({ folder, defer }: Trial, port: number) {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2 -nodes'
  const files = ['-keyout', key, '-out', cert]
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject.split(' '), ...files])
  const ingress = { certificate: cert, targets: [] as string[] }
  let next = 0
  const ask = ({ method, url, headers }: http.IncomingMessage) => {
    const { targets } = ingress
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
    const to = { host: targets[next++ % targets.length], port: 3000, method, path: url }
    return http.request({ ...to, headers: { ...headers, ...forwarded } })
  }
  const tls = { key: fs.readFileSync(key), cert: fs.readFileSync(cert) }
  const server = https.createServer(tls, (request, response) => {
    const upstream = ask(request).on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.writeHead(502).end())
    request.pipe(upstream)
  })
  server.on('upgrade', (request, socket: Duplex, head) => {
    const upstream = ask(request)
    upstream.on('upgrade', ({ headers }, other, first) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      socket.write(first)
      other.write(head)
      other.pipe(socket).pipe(other)
      other.on('error', () => socket.destroy())
      socket.on('error', () => other.destroy())
    })
    upstream.on('error', () => socket.destroy())
    upstream.end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  defer(() => server.close())
  return ingress
}

/** Four connections that ask one request after the other; the returned function ends them and says what they saw. */
function watch(origin: string, ca: Buffer) {
  const agent = new https.Agent({ keepAlive: true, ca })
  const seen = { requests: 0, failed: 0 }
  const statusOf = () =>
    new Promise<number | undefined>((resolve) => {
      const request = https.get(`${origin}/api/app`, { agent }, (answer) => {
        answer.resume().on('close', () => resolve(answer.statusCode))
      })
      request.on('error', () => resolve(undefined))
    })
  const ask = async () => {
    if ((await statusOf()) !== 200) seen.failed++
    seen.requests++
  }
  const stops = Array.from({ length: 4 }, () => repeating(ask, 5))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    agent.destroy()
    return seen
  }
}

const named = (objects: KubeObject[], kind: string, name: string): KubeObject => {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name)
  if (!found) throw new Error(`the chart has no ${kind} ${name}`)
  return found
}

async function runPods(trial: Trial, renderer: Renderer): Promise<void> {
  const { report, folder, defer } = trial
  const [tlsPort, mailPort] = [await freePort(), await freePort()]
  const origin = `https://localhost:${tlsPort}`
  const buildArgs = NODE_IMAGE ? ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`] : []
  const image = `${IMAGE.repository}:${IMAGE.tag}`
  await report.step(`image ${image}`, () => podman('build', ...buildArgs, '--tag', image, ROOT))
  const cluster = await PodmanCluster.create(folder)
  defer(() => cluster.remove())

  const images = {
    ...(POSTGRES_IMAGE && { postgresImage: POSTGRES_IMAGE }),
    ...(REDIS_IMAGE && { redisImage: REDIS_IMAGE }),
  }
  const objects = renderer.render({
    origin,
    image: IMAGE,
    secretName: RELEASE,
    trial: { enabled: true, ...images },
  })
  const secrets = {
    SESSION_KEYS: randomBytes(32).toString('hex'),
    DATA_KEY: randomBytes(32).toString('base64'),
    POSTGRES_PASSWORD: randomBytes(16).toString('hex'),
    REDIS_PASSWORD: randomBytes(16).toString('hex'),
    SMTP_URL: `smtp://${cluster.hostAddress}:${mailPort}`,
    MAIL_FROM: 'no-reply@tesp.example',
  }
  cluster.secrets = secrets
  await cluster.createVolume(named(objects, 'PersistentVolumeClaim', `${RELEASE}-postgres`))
  for (const name of [`${RELEASE}-postgres`, `${RELEASE}-redis`])
    await cluster.start(named(objects, 'Deployment', name), name)

  // Kubernetes repeats a failed Job; Postgres needs some seconds for its first start.
  await report.step(
    'the migration job ends with 0',
    async () => {
      const job = named(objects, 'Job', `${RELEASE}-migrate`)
      for (let attempt = 1; ; attempt++) {
        const pod = `${RELEASE}-migrate-${attempt}`
        await cluster.start(job, pod)
        if ((await cluster.exitCode(pod, 'migrate')) === 0) return attempt
        if (attempt === 10) throw new Error(await cluster.logs(pod, 'migrate'))
        await sleep(3_000)
      }
    },
    (attempts) => `attempt ${attempts}`,
  )

  const startRole = async (role: 'gateway' | 'workers', pod: string, port: number) => {
    await cluster.start(named(objects, 'Deployment', `${RELEASE}-${role}`), pod)
    const address = await cluster.addressOf(pod)
    const url = `http://${address}:${port}/readyz`
    const isReady = async () => (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok
    await until(`${pod} is ready`, isReady, { logs: () => cluster.logs(pod, role) })
    return address
  }
  await report.step('two workers are ready', () =>
    Promise.all(['a', 'b'].map((id) => startRole('workers', `${RELEASE}-workers-${id}`, 9100))),
  )
  const ingress = await openIngress(trial, tlsPort)
  ingress.targets = await report.step('two gateways are ready', () =>
    Promise.all(['a', 'b'].map((id) => startRole('gateway', `${RELEASE}-gateway-${id}`, 3000))),
  )

  const databaseUrl = `postgres://tesp:${secrets.POSTGRES_PASSWORD}@${await cluster.addressOf(`${RELEASE}-postgres`)}:5432/tesp`
  const settings = { ...secrets, PUBLIC_ORIGIN: origin }
  const place = { origin, databaseUrl, mailPort, catcherPort: undefined, settings }
  const members = startMembers(ingress.certificate, place)
  defer(() => members.end())
  await report.step('journey', () => members.call('journey'), String)

  const finish = watch(origin, fs.readFileSync(ingress.certificate))
  for (const id of ['a', 'b']) {
    await report.step(
      `gateway ${id} is replaced`,
      async () => {
        const [old = ''] = ingress.targets
        ingress.targets = [
          ...ingress.targets.slice(1),
          await startRole('gateway', `${RELEASE}-gateway-${id}2`, 3000),
        ]
        // What `preStop` waits for: no proxy sends requests to the old pod any more.
        await sleep(1_000)
        const ms = await cluster.stop(`${RELEASE}-gateway-${id}`, 30)
        return `${old} stopped after ${(ms / 1_000).toFixed(1)} s`
      },
      String,
    )
  }
  const { requests, failed } = await finish()
  report.expect(`failed of ${requests} requests meanwhile`, failed, 0)
}

export async function tryKubernetes(trial: Trial, { only }: { only: string }): Promise<void> {
  await ensurePeers()
  const renderer = new Renderer(trial.folder)
  trial.report.fact('rendered by', renderer.name)
  await checkChart(trial, renderer)
  if (only !== 'chart') await runPods(trial, renderer)
}
