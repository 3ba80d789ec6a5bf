import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '#scripts/process/root'
import { hasPromtool, PROMTOOL_NOTE, promtool } from './testing/promtool.ts'

const FILE = path.join(ROOT, 'scripts/monitoring/files/prometheus.yml')
type Scrape = { job_name: string; dns_sd_configs: [{ names: string[]; port: number }] }

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
  ])
})

it.skipIf(!hasPromtool)(
  `promtool accepts the configuration of docker compose${PROMTOOL_NOTE}`,
  () => {
    expect(promtool(['check', 'config', FILE])).toBe('')
  },
)
