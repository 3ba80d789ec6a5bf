import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'
import { ALERTS } from './testing/monitoring-files.ts'
import { hasPromtool, PROMTOOL_NOTE, promtool } from './testing/promtool.ts'

const FILE = path.join(ROOT, 'operators/monitoring/prometheus.yml')
const ALERTS_FILE = path.join(ROOT, 'operators/monitoring/alerts.yml')
const UNITS_FILE = path.join(ROOT, 'docs/deploy/prometheus.yml')
type Scrape = { job_name: string; dns_sd_configs: [{ names: string[]; port: number }] }
type UnitScrape = { job_name: string; static_configs: [{ targets: string[] }] }

it('Prometheus of docker compose scrapes the ports that the services listen on', () => {
  const compose = parse(fs.readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8'), {
    merge: true,
  })
  const { gateway, workers } = compose.services
  const { scrape_configs } = parse(fs.readFileSync(FILE, 'utf8')) as { scrape_configs: Scrape[] }
  const ports = scrape_configs.map(({ dns_sd_configs: [{ names, port }] }) => [
    ...names,
    String(port),
  ])
  expect(ports).toEqual([
    ['gateway', String(gateway.environment.METRICS_PORT)],
    ['workers', String(workers.environment.WORKERS_PORT)],
    ['host', '9100'],
  ])
})

it('alerts of every severity reach a receiver of their own, by the Alertmanager that Prometheus names', () => {
  const read = (file: string) => parse(fs.readFileSync(file, 'utf8'), { merge: true })
  const { route, receivers } = read(path.join(ROOT, 'operators/monitoring/alertmanager.yml'))
  const names = receivers.map(({ name }: { name: string }) => name)
  const routed = [route, ...route.routes].map(({ receiver }: { receiver: string }) => receiver)
  expect(names.toSorted()).toEqual(routed.toSorted())
  expect(ALERTS.every(({ labels }) => names.includes(labels.severity))).toBe(true)
  const { services } = read(path.join(ROOT, 'docker-compose.yml'))
  const [
    {
      dns_sd_configs: [place],
    },
  ] = read(FILE).alerting.alertmanagers
  expect(services).toHaveProperty(place.names[0])
  expect(read(UNITS_FILE).alerting.alertmanagers).toEqual([
    { static_configs: [{ targets: [`127.0.0.1:${place.port}`] }] },
  ])
})

it.skipIf(!hasPromtool)(
  `promtool accepts the configuration of docker compose${PROMTOOL_NOTE}`,
  () => {
    expect(promtool(['check', 'config', FILE])).toBe('')
  },
)

it('Prometheus beside systemd units scrapes the ports of two instances of each role', () => {
  const { scrape_configs } = parse(fs.readFileSync(UNITS_FILE, 'utf8')) as {
    scrape_configs: UnitScrape[]
  }
  const targets = scrape_configs.map(({ job_name, static_configs: [{ targets }] }) => [
    job_name,
    ...targets,
  ])
  const ports = { gateway: 'METRICS_PORT', workers: 'WORKERS_PORT' }
  const expected = Object.entries(ports).map(([role, setting]) => {
    const unit = fs.readFileSync(
      path.join(ROOT, `docs/deploy/systemd/tesp-${role}@.service`),
      'utf8',
    )
    const [, port = ''] = new RegExp(`${setting}=(\\S+)`).exec(unit) ?? []
    return [role, ...['1', '2'].map((instance) => `127.0.0.1:${port.replace('%i', instance)}`)]
  })
  expect(targets).toEqual([...expected, ['host', '127.0.0.1:9100']])
})

it.skipIf(!hasPromtool)(
  `promtool accepts the configuration for systemd units${PROMTOOL_NOTE}`,
  () => {
    const folder = testFolder()
    fs.copyFileSync(UNITS_FILE, path.join(folder, 'prometheus.yml'))
    fs.copyFileSync(ALERTS_FILE, path.join(folder, 'alerts.yml'))
    expect(promtool(['check', 'config', path.join(folder, 'prometheus.yml')])).toBe('')
  },
)
