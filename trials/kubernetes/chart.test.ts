import fs from 'node:fs'
import path from 'node:path'
import Ajv from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { unknownNames } from '#operators/monitoring/testing/promql-names'
import { registeredMetrics } from '#operators/monitoring/testing/registered-metrics'
import { ROOT } from '#runtime/process/root'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const values = parse(read('deploy/helm/values.yaml'))
const roles = read('deploy/helm/templates/roles.yaml')
const isValid = new Ajv({ strictTypes: false }).compile(
  JSON.parse(read('deploy/helm/values.schema.json')),
)
const origin = 'https://tesp.example'
const image = { ...values.image, repository: 'registry.example/tesp' }

it('the schema of the chart accepts its own values once image and origins are set', () => {
  expect(isValid({ ...values, image })).toBe(false)
  expect(isValid({ ...values, origin })).toBe(false)
  expect(isValid({ ...values, image, origin })).toBe(true)
  expect(isValid({ ...values, image, origin: `${origin},https://www.tesp.example` })).toBe(true)
})

it.each([
  ['an origin without TLS', { origin: 'http://tesp.example' }],
  ['an origin with a path', { origin: 'https://tesp.example/mine' }],
  ['an unknown value', { replicas: 3 }],
  ['an unknown value of a role', { gateway: { replica: 3 } }],
  ['no gateway', { gateway: { replicas: 0 } }],
  ['a memory that is no quantity', { workers: { resources: { limits: { memory: 'much' } } } }],
  ['an unknown way to scale', { autoscaling: { mode: 'vpa' } }],
  ['off without quotes, which Helm reads as false', { settings: { DATABASE_PREPARED: false } }],
  ['a setting in small letters', { settings: { log_level: 'info' } }],
  ['a setting that the chart sets itself', { settings: { PUBLIC_ORIGIN: origin } }],
])('the schema of the chart rejects %s', (_, change) => {
  expect(isValid({ ...values, image, origin, ...change })).toBe(false)
})

it('every setting of the chart is one of the product', () => {
  const documented = read('docs/settings.md')
  const inTemplates = [
    ...(read('deploy/helm/templates/_helpers.tpl') + roles).matchAll(/name: ([A-Z_]+)[,\s]/g),
  ]
  const names = [...Object.keys(values.settings), ...inTemplates.map(([, name = '']) => name)]
  expect(names).toContain('PUBLIC_ORIGIN')
  expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

it('autoscaling asks for metrics and labels that exist', () => {
  const queries = [...read('deploy/helm/templates/autoscaling.yaml').matchAll(/^ +query: (.*)$/gm)]
  expect(queries).toHaveLength(3)
  // The operator of Prometheus adds the namespace to every series.
  const texts = queries.map(([, text = '']) =>
    text.replaceAll(/namespace="[^"]*"(, )?/g, '').replaceAll('{}', ''),
  )
  expect(texts.flatMap((text) => unknownNames(text, registeredMetrics()))).toEqual([])
})

it('an empty answer of Prometheus is an error for KEDA, not a load of 0', () => {
  const triggers = read('deploy/helm/templates/autoscaling.yaml').split(/^ +- type: /m)
  const ofPrometheus = triggers.filter((trigger) => trigger.startsWith('prometheus'))
  expect(ofPrometheus).toHaveLength(3)
  for (const trigger of ofPrometheus) expect(trigger).toContain('ignoreNullValues: "false"')
})

it('every pod knows the origin of the console, which invitations name', () => {
  const [, environment = ''] = read('deploy/helm/templates/_helpers.tpl').split(
    'define "tesp.environment"',
  )
  expect(environment.split('define ')[0]).toContain('name: CONSOLE_ORIGIN')
})

it('no pod but the workers has the key that signs the ledger', () => {
  for (const template of ['roles', 'console', 'migrate']) {
    expect(read(`deploy/helm/templates/${template}.yaml`), template).toContain(
      '{ name: LEDGER_SEAL_KEY, value: "" }',
    )
  }
})

it('the hosts of the ingress have no port', () => {
  expect(read('deploy/helm/templates/ingress.yaml')).toContain('(urlParse .).hostname')
})

it('a pod is killed later than its role stops by itself', () => {
  const [, drainMs = ''] = /DRAIN_MS = ([\d_]+)/.exec(read('runtime/run-role.ts')) ?? []
  const [, preStop] = /command: \[sleep, "(\d+)"\]/.exec(roles) ?? []
  const [, grace] = /terminationGracePeriodSeconds: (\d+)/.exec(roles) ?? []
  expect(Number(grace)).toBeGreaterThan(Number(preStop) + Number(drainMs.replace('_', '')) / 1_000)
})

it.each(['gateway', 'workers'])('a pod runs %s as the image does', (role) => {
  const [, flags] =
    new RegExp(`command: \\[node, (\\S+), --v8-pool-size=1, dist/roles/${role}`).exec(
      read('docker-compose.yml'),
    ) ?? []
  expect(roles).toContain(`"${role}" "${flags}"`)
})

it('the chart has the alerts of operators and the user of the image', () => {
  expect(fs.realpathSync(path.join(ROOT, 'deploy/helm/alerts.yml'))).toBe(
    path.join(ROOT, 'operators/monitoring/alerts.yml'),
  )
  expect(read('deploy/helm/templates/_helpers.tpl')).toContain('runAsUser: 10001')
  expect(read('Dockerfile')).toContain('USER 10001:10001')
})

it('the chart has the version of the product', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(parse(read('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: version })
})
