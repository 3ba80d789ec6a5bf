import { expect, it } from 'vitest'
import { type PartResult, resultText } from './result.ts'

const result: PartResult = {
  title: 'Reads',
  tables: [
    {
      title: 'Requests',
      unit: 'requests/s',
      rows: [
        { label: 'product', values: [1_000, 1_200, 900] },
        { label: 'peer', values: [800, 500, 2_000] },
      ],
      ratios: [{ of: 'product', to: 'peer', goal: { atLeast: 1.3 } }],
    },
  ],
  notes: ['One note.'],
}

it('a table states median, range and the ratio of medians with its goal', () => {
  const text = resultText(result)
  expect(text).toContain('| product | 1,000 | 900–1,200 |')
  expect(text).toContain('| product / peer | 1.25 | ≥ 1.30 | **missed** |')
})
