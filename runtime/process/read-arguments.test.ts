import fs from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { readArguments } from './read-arguments.ts'
import { ROOT } from './root.ts'

const FOLDERS = ['scripts/commands', 'operators/commands']
/** Take their arguments otherwise: with commander, passed on, or none at all. */
const OTHERS = [
  'ops.ts',
  'operators.ts',
  'run-command.ts',
  'services/role.ts',
  'services/start-locally.ts',
  'services/vite-server.ts',
]

/** What a command without arguments prints for this one before it ends, and its exit code. */
function printedFor(argument: string): unknown[] {
  const printed: unknown[] = []
  const end = (code?: string | number | null): never => {
    printed.push(code)
    throw new Error('the process has ended')
  }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line)),
    vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(line)),
    vi.spyOn(process, 'exit').mockImplementation(end),
  ]
  expect(() => readArguments('npm run build', {}, [argument])).toThrow('the process has ended')
  for (const spy of spies) spy.mockRestore()
  return printed
}

it.each([
  ['an option that a command does not have', '--nothing', "Unknown option '--nothing'"],
  ['a value where none is taken', 'all', "Unexpected argument 'all'"],
])('%s is named on one line with the usage', (_, argument, fault) => {
  expect(printedFor(argument)).toEqual([`${fault}. Usage: npm run build`, 1])
})

it('--help prints the usage', () => {
  expect(printedFor('--help')).toEqual(['Usage: npm run build', 0])
})

it('every command reads its arguments this way', () => {
  const files = FOLDERS.flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !OTHERS.includes(file),
      )
      .map((file) => path.join(ROOT, folder, file)),
  )
  const other = files.filter((file) => !fs.readFileSync(file, 'utf8').includes('readArguments('))
  expect(other).toEqual([])
})
