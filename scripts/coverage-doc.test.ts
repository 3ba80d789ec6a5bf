import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#scripts/root'
import { titlesIn } from '#scripts/testing/titles'

type Row = { section: string; says: string; tests: string[]; line: number }

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')

/** The rows of the tables of docs/coverage.md, each with its section and the tests that it names. */
function rowsOf(doc: string): Row[] {
  let section = ''
  const rows: Row[] = []
  doc.split('\n').forEach((text, index) => {
    if (text.startsWith('## ')) section = text.slice(3)
    if (!text.startsWith('|')) return
    const cells = text.replaceAll('\\|', '\0').split('|').slice(1, -1)
    const [says = '', tests = ''] = cells.map((cell) => cell.replaceAll('\0', '|').trim())
    if (says === 'Specification' || /^-+$/.test(says)) return
    const named = tests.split('<br>').map((one) => one.trim())
    rows.push({ section, says, tests: named.filter(Boolean), line: index + 1 })
  })
  return rows
}

/** The names of all calls: the keys of `Answers`. */
function callsOf(source: string): string[] {
  const body = /export type Answers = \{\n([\s\S]*?)\n\}/.exec(source)?.[1] ?? ''
  return [...body.matchAll(/^ {2}'([A-Z]+ [^']+)':/gm)].map(([, name = '']) => name)
}

const rows = rowsOf(read('docs/coverage.md'))

/** What is wrong with a test that a row names; nothing where it exists. */
function problemOf(test: string): string | undefined {
  const [file = '', title] = test.split(' › ')
  if (title === undefined) return 'names no title'
  if (!/\.(test|e2e)\.tsx?$/.test(file)) return 'names no test file'
  if (!fs.existsSync(path.join(ROOT, file))) return 'names a file that does not exist'
  return titlesIn(read(file)).includes(title) ? undefined : 'names no test of that file'
}

describe('docs/coverage.md', () => {
  it.each(['§2', '§3', '§4', '§5', '§6', '§7', '§8', '§9'])('has rows for %s', (section) => {
    expect(rows.filter((row) => row.section.startsWith(section)).length).toBeGreaterThan(0)
  })

  it('names a test in each row, and each test exists', () => {
    const problems = rows.flatMap(({ line, says, tests }) => {
      if (tests.length === 0) return [`line ${line}: ${says}: no test`]
      return tests.flatMap((test) => {
        const problem = problemOf(test)
        return problem ? [`line ${line}: ${test}: ${problem}`] : []
      })
    })
    expect(problems).toEqual([])
  })

  it('has a row for each call', () => {
    const calls = callsOf(read('gateway/contract/routes.ts'))
    const said = rows.filter(({ section }) => section.startsWith('§7')).map(({ says }) => says)
    expect(calls.length).toBeGreaterThan(25)
    expect(calls.filter((call) => !said.some((says) => says.startsWith(`\`${call}\``)))).toEqual([])
  })
})
