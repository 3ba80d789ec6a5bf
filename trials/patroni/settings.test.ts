import { expect, it } from 'vitest'
import { readText } from '#scripts/testing/read-file'
import { CITUS_SETTINGS, CLUSTER_SETTINGS, haproxySettings } from './settings.ts'

const page = readText('docs/operations/postgres-failover.md')
const lines = page.split('\n').map((line) => line.trim())

it('the settings of Patroni that the trial uses are those that the runbook recommends', () => {
  const used = { ...CLUSTER_SETTINGS, ...CITUS_SETTINGS }
  const settings = Object.entries(used).map(([name, value]) => `${name}: ${value}`)
  const missing = settings.filter((setting) => !lines.some((line) => line.startsWith(setting)))
  expect(missing).toEqual([])
})

it('the settings of HAProxy that the trial uses are those that the runbook recommends', () => {
  const used = haproxySettings({ primary: 5000, replicas: 5001 }, [])
  const settings = used.split('\n').map((line) => line.trim())
  const primary = settings.slice(0, settings.indexOf('listen replicas'))
  expect(primary.filter((line) => line !== 'defaults' && !lines.includes(line))).toEqual([])
  for (const text of [used, page]) expect(text).toContain('/replica?lag=16MB')
})
