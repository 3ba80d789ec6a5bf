import { expect, it } from 'vitest'
import { updatesOf } from './updates.ts'

it('updates are sorted by how far a dependency is behind', () => {
  const outdated = {
    patched: { current: '1.2.3', wanted: '1.2.3', latest: '1.2.10' },
    current: { current: '4.0.0', wanted: '4.0.0', latest: '4.0.0' },
    'not-installed': { wanted: '1.0.0', latest: '2.0.0' },
    rewritten: { current: '9.9.9', wanted: '9.9.9', latest: '10.0.0' },
    extended: { current: '1.2.3', wanted: '1.2.3', latest: '1.10.0' },
  }
  expect(updatesOf(outdated).map(({ name, step }) => [name, step])).toEqual([
    ['rewritten', 'major'],
    ['extended', 'minor'],
    ['patched', 'patch'],
  ])
})
