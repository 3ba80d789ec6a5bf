import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import type { StoredResult } from '#trials/bench/result'
import { performancePage } from './page.ts'
import { plotOf } from './plot.ts'
import { goalsOf, resultText } from './result-text.ts'
import { plotFile, RESULTS_DIR, storedResults } from './store.ts'

const result: StoredResult = {
  part: 'reads',
  title: 'Reads',
  tables: [
    {
      id: 'requests',
      title: 'Requests',
      unit: 'requests/s',
      higherIsBetter: true,
      rows: [
        { label: 'product', values: [1_000, 1_200, 900] },
        { label: 'peer', values: [800, 500, 2_000] },
      ],
      ratios: [{ of: 'product', to: 'peer', goal: { atLeast: 1.3 } }],
    },
  ],
  notes: ['One note.'],
  run: {
    date: '2026-11-21 12:00',
    commit: 'abc',
    command: 'npm run bench -- reads',
    rounds: 3,
    cpu: 'a processor',
    cores: 2,
    memoryGiB: 8,
    node: 'v20',
    postgres: '18',
    redis: 'redis-server 7',
  },
}

it('a table states median, range and the ratio of medians with its goal', () => {
  const text = resultText(result)
  expect(text).toContain('| product | 1,000 | 900–1,200 |')
  expect(text).toContain('| product / peer | 1.25 | ≥ 1.30 | **missed** |')
  expect(goalsOf(result)).toEqual([
    { label: 'Requests: product / peer 1.25, ≥ 1.30', isReached: false },
  ])
})

it('a plot names each row and escapes its text', () => {
  const [table] = result.tables
  if (!table) throw new Error('no table')
  const svg = plotOf({ ...table, rows: [{ label: 'a < b', values: [1] }] })
  expect(svg).toContain('a &lt; b')
  const lines = plotOf({
    ...table,
    plot: { kind: 'lines', xLabel: 'members' },
    rows: [
      { label: 'product, 10', values: [1], x: 10, series: 'product' },
      { label: 'product, 20', values: [2], x: 20, series: 'product' },
    ],
  })
  expect(lines?.match(/<polyline/g)).toHaveLength(1)
})

it('docs/performance.md is composed from the stored results; npm run bench writes it', () => {
  const page = path.join(ROOT, 'docs/performance.md')
  expect(fs.readFileSync(page, 'utf8')).toBe(performancePage())
})

it('each stored table has its plot', () => {
  const missing = storedResults().flatMap(({ part, tables }) =>
    tables
      .filter((table) => plotOf(table) !== undefined)
      .map(({ id }) => plotFile(part, id))
      .filter((file) => !fs.existsSync(path.join(RESULTS_DIR, file))),
  )
  expect(missing).toEqual([])
})
