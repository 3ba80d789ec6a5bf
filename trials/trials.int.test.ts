import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readText } from '#scripts/testing/read-file'
import { testFolder } from '#scripts/testing/temp-folder'
import { runScript } from './kit/child.ts'
import { TRIALS, trialsTable } from './trials.ts'

it('trials/README.md has a row for every trial, with what it needs', () => {
  const rows = [...trialsTable().matchAll(/^\| `(.+?)` \|.*\| \d+ \| (.*) \|$/gm)]
  expect(rows.map(([, name, needs]) => [name, needs])).toEqual(
    Object.entries(TRIALS).map(([name, { needs = [] }]) => [name, needs.join(', ')]),
  )
})

it('the nightly workflow runs every trial', () => {
  const { jobs } = parse(readText('.github/workflows/nightly.yml'))
  const { include } = jobs.trial.strategy.matrix
  const names: string[] = include.map(({ trial }: { trial: string }) => trial.split(' ')[0] ?? '')
  expect(names.toSorted()).toEqual(Object.keys(TRIALS).toSorted())
})

it('npm run trial without a name prints the table', async () => {
  expect(await runScript('trial', [], {})).toContain(trialsTable())
})

it('an unknown trial, an unknown option and a value that is no number are refused', async () => {
  await expect(runScript('trial', ['nothing'], {})).rejects.toThrow('trial ended with 1: Usage:')
  await expect(runScript('trial', ['torture', '--nothing'], {})).rejects.toThrow(
    "Unknown option '--nothing'. Usage: npm run trial torture -- [--minutes <n>]",
  )
  await expect(runScript('trial', ['torture', '--minutes', 'x'], {})).rejects.toThrow(
    '--minutes is a number',
  )
})

it('a trial whose programs are missing fails and says what to install', async () => {
  const env = { PATH: testFolder() }
  await expect(runScript('trial', ['pgbouncer'], env)).rejects.toThrow(
    'pgbouncer is missing: apt-get install pgbouncer',
  )
})
