import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readText } from '#scripts/testing/read-file'

type Service = {
  image: string
  restart: string
  build?: unknown
  command?: string[]
  entrypoint?: string[]
  logging?: { options: Record<string, string> }
  networks?: string[]
  ports?: string[]
  environment?: Record<string, string>
  stop_grace_period?: string
  mem_limit?: string
  read_only?: boolean
  cap_drop?: string[]
  depends_on?: Record<string, { condition: string }>
}

const text = readText('docker-compose.yml')
const services: Record<string, Service> = parse(text, { merge: true }).services
const entries = Object.entries(services)
const ofProduct = entries.filter(([, { build }]) => build)
const ROLES = ['gateway', 'workers']

it.each(entries)('docker compose bounds the log of %s', (_, { logging }) => {
  expect(logging?.options).toMatchObject({
    'max-size': expect.any(String),
    'max-file': expect.any(String),
  })
})

it.each(entries)('docker compose pins the version of the image of %s', (_, { image, build }) => {
  if (!build) expect(image).toMatch(/:v?\d/)
})

it('docker compose bounds the memory of everything but Postgres', () => {
  const unbounded = entries.filter(([, { mem_limit }]) => !mem_limit).map(([name]) => name)
  expect(unbounded).toEqual(['postgres'])
})

it.each(ofProduct)(
  'docker compose runs %s without rights and on a read-only file system',
  (_, one) => {
    expect(one).toMatchObject({ init: true, read_only: true, cap_drop: ['ALL'] })
  },
)

it.each(ofProduct)('docker compose starts %s from a bundle, not from a source', (_, one) => {
  const { command = [], entrypoint = [] } = one
  const [program, ...args] = [...entrypoint, ...command]
  expect(program).toBe('node')
  expect(args.at(-1)).toMatch(/^dist\/(roles|commands)\/\w+\.mjs$/)
})

describe.each(ROLES)('docker compose, %s', (role) => {
  it(`docker compose starts ${role} after the migrations`, () => {
    expect(services[role]?.depends_on?.migrate).toEqual({
      condition: 'service_completed_successfully',
    })
  })

  it(`docker compose stops ${role} later than it stops itself`, () => {
    const source = readText('runtime/run-role.ts')
    const drainMs = Number(/DRAIN_MS = ([\d_]+)/.exec(source)?.[1]?.replace('_', ''))
    expect(Number.parseInt(services[role]?.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(
      drainMs,
    )
  })
})

it('the proxy of docker compose reaches gateways only', () => {
  const reachable = entries.filter(([, { networks }]) => networks?.includes('front'))
  expect(reachable.map(([name]) => name).sort()).toEqual(['gateway', 'proxy'])
  expect(services.proxy?.networks).toEqual(['front'])
})

it('docker compose opens only the proxy to the network', () => {
  const open = entries.filter(([, { ports = [] }]) =>
    ports.some((port) => !port.startsWith('127.0.0.1:')),
  )
  expect(open.map(([name]) => name)).toEqual(['proxy'])
})

it('the proxy keeps the X-Forwarded-For of what operators name, and by default of nobody', () => {
  expect(services.proxy?.environment?.PROXY_TRUSTS).toBe(`\${PROXY_TRUSTS:-127.0.0.1/32}`)
  expect(readText('operators/containers/Caddyfile')).toContain(
    '\ttrusted_proxies {$PROXY_TRUSTS}\n',
  )
  expect(readText('docs/containers.md')).toContain('PROXY_TRUSTS=private_ranges')
})

it('the proxy closes idle connections before the gateways do', () => {
  const [, keepAliveS] = /keepalive (\d+)s/.exec(readText('operators/containers/Caddyfile')) ?? []
  const source = readText('gateway/http/http-server.ts')
  const [, gatewayMs = ''] = /keepAliveTimeout = ([\d_]+)/.exec(source) ?? []
  expect(Number(keepAliveS) * 1_000).toBeLessThan(Number(gatewayMs.replace('_', '')))
})

it.each(['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'SESSION_KEYS', 'DATA_KEY'])(
  'docker compose has no default for the secret %s and says how to make it',
  (name) => {
    const uses = [...text.matchAll(new RegExp(`\\$\\{${name}[^}]*\\}`, 'g'))].map(([use]) => use)
    expect(uses.filter((use) => !use.startsWith(`\${${name}:?set it in .env`))).toEqual([])
    expect(uses.some((use) => use.includes('openssl rand'))).toBe(true)
  },
)

it('Redis of docker compose asks for its password', () => {
  const { command = [] } = services.redis ?? {}
  expect(command[command.indexOf('--requirepass') + 1]).toContain('REDIS_PASSWORD')
})

it.each(['.env', 'secret.env', 'before.dump', 'tesp.part', 'dkim.pem', '7.png'])(
  'neither the image nor a commit takes %s from the folder',
  (file) => {
    for (const list of ['.dockerignore', '.gitignore']) {
      const endings = Array.from(readText(list).matchAll(/^\/?\*(\.\w+)$/gm), ([, end]) => end)
      expect(endings).toContain(path.extname(`x${file}`))
    }
  },
)

it('the image runs as a user without rights and without a name', () => {
  expect(readText('Dockerfile')).toMatch(/^USER 10001:10001$/m)
})

it('the image holds bundles, their packages and licences only, readable after any umask', () => {
  const [, build = '', last = ''] = readText('Dockerfile').split(/^FROM .*$/m)
  const copies = last.matchAll(/^COPY --from=build (.+) \S+$/gm)
  expect([...copies].flatMap(([, from = '']) => from.split(' '))).toEqual([
    '/app/dist/LICENSE',
    '/app/dist/third-party-licences.txt',
    '/app/dist/healthcheck.sh',
    '/app/dist/packages/node_modules',
    '/app/dist/client',
    '/app/dist/commands',
    '/app/dist/roles',
  ])
  expect(last.match(/^(COPY|ADD) /gm)).toHaveLength(5)
  expect(build).toMatch(/ chmod -R a\+rX dist\n+$/)
})
