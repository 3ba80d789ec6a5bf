import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { processMark } from '#runtime/process/lifetime/process-lock.mjs'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'

it('a program that runs ends with the process that started it', async () => {
  const file = path.join(testFolder(), 'pid')
  const program = `fs.writeFileSync('${file}', String(process.pid))
    process.kill(process.ppid, 'SIGUSR2')
    setInterval(() => {}, 1000)`
  const code = `import { run } from '#scripts/embedded/run-program'
    process.once('SIGUSR2', () => process.exit())
    await run(process.execPath, ['-e', ${JSON.stringify(program)}])`
  const args = ['--import', 'tsx', '--input-type=module', '-e', code]
  await once(spawn(process.execPath, args, { cwd: ROOT }), 'exit')
  const pid = Number(fs.readFileSync(file, 'utf8'))
  await vi.waitFor(() => expect(processMark(pid)).toBeUndefined(), { timeout: 60_000 })
})
