import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '#runtime/process/root'

const FOLDER = path.join(ROOT, '.github/workflows')
type Job = {
  'timeout-minutes'?: number
  uses?: string
  needs?: string | string[]
  permissions?: Record<string, string>
  steps?: { run?: string; uses?: string }[]
}
type Workflow = { permissions?: Record<string, string>; jobs: Record<string, Job> }

const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
const workflows = fs
  .readdirSync(FOLDER)
  .map((file): [string, Workflow] => [
    file,
    parse(fs.readFileSync(path.join(FOLDER, file), 'utf8')),
  ])

it.each(workflows)(
  'the workflow %s may only read unless a job says otherwise',
  (_, { permissions }) => {
    expect(permissions).toEqual({ contents: 'read' })
  },
)

it.each(workflows)('the jobs of %s end', (_, { jobs }) => {
  const endless = Object.entries(jobs).filter(([, job]) => !job.uses && !job['timeout-minutes'])
  expect(endless.map(([name]) => name)).toEqual([])
})

it.each(workflows)('what the workflow %s publishes has passed the check', (_, { jobs }) => {
  const writing = Object.entries(jobs).filter(([, { permissions = {} }]) =>
    Object.values(permissions).includes('write'),
  )
  const unchecked = writing.filter(([, { needs = [] }]) => ![needs].flat().includes('check'))
  expect(unchecked.map(([name]) => name)).toEqual([])
  if (writing.length > 0) expect(jobs.check?.uses).toBe('./.github/workflows/check.yml')
})

it.each(workflows)('the workflow %s runs npm commands that exist', (_, { jobs }) => {
  const steps = Object.values(jobs).flatMap(({ steps = [] }) => steps)
  const commands = steps.flatMap(({ run = '' }) =>
    Array.from(run.matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name),
  )
  expect(commands.filter((name) => !(name in scripts))).toEqual([])
})

it.each(workflows)('the workflow %s keeps no credentials in its checkout', (_, { jobs }) => {
  const checkouts = JSON.stringify(jobs).match(/"uses":"actions\/checkout@[^}]*}/g) ?? []
  expect(checkouts.filter((one) => !one.includes('"persist-credentials":false'))).toEqual([])
})
