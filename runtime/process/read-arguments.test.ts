import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { runScript } from '#trials/kit/child'
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

it('an option that a command does not have is named on one line with the usage', async () => {
  const error = await runScript('build', ['--nothing'], {}).catch(String)
  expect(error).toMatch(
    /^Error: build ended with 1: Unknown option '--nothing'\. Usage: npm run build$/,
  )
})

it('a value where none is taken is named too', async () => {
  const error = await runScript('build', ['all'], {}).catch(String)
  expect(error).toMatch(/Unexpected argument 'all'\. .*Usage: npm run build$/)
})

it('--help prints the usage', async () => {
  expect(await runScript('build', ['--help'], {})).toMatch(/^Usage: npm run build/)
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
