import { expect, it } from 'vitest'
import { titlesIn } from '#scripts/testing/titles'

const source = `
describe('a group', () => {
  it('does this', () => {})
  it("does that", () => {})
  it.skip('waits', () => {})
  it('keeps the member\\'s quote', () => {})
  test(\`stands in \${backticks}\`, () => {})
  it.each(['a)', "b('", { c: [1] }])('says %s', () => {})
  it.each<Reason>([
    ['one', 1],
  ] as const)(
    'counts %s',
    async () => {},
  )
  visit('nothing')
  await it.next('nothing')
})
`

it('finds plain titles and the templates of tables, and nothing that is skipped', () => {
  expect(titlesIn(source)).toEqual([
    'does this',
    'does that',
    "keeps the member's quote",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the title as it stands in the file
    'stands in ${backticks}',
    'says %s',
    'counts %s',
  ])
})
