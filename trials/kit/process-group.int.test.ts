import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { processMark } from '#runtime/process/lifetime/process-lock.mjs'
import { testFolder } from '#scripts/testing/temp-folder'
import { endLeftovers } from './process-group.ts'

/** A server that ignores SIGTERM, started by a trial that does not stop it. */
const SERVER = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`
const TRIAL = `
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(SERVER)}], { stdio: 'inherit' })
  setInterval(() => {}, 1000)`
const RUNNER = `
  import { runInGroup } from './trials/kit/process-group.ts'
  process.exit(await runInGroup(['-e', ${JSON.stringify(TRIAL)}]))`

async function startTrial(): Promise<{ runner: ChildProcess; server: number; parent: string }> {
  const parent = testFolder()
  const options = ['--import', 'tsx', '--input-type=module', '-e', RUNNER]
  const runner = spawn(process.execPath, options, {
    env: { ...process.env, TMPDIR: parent },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = await once(runner.stdout, 'data')
  return { runner, server: Number(pid), parent }
}

const trialFolders = (parent: string) =>
  fs.readdirSync(parent).filter((name) => name.startsWith('tesp-trial-'))

it('a trial that gets SIGTERM leaves no process and no file behind', async () => {
  const { runner, server, parent } = await startTrial()
  expect(processMark(server)).toBeDefined()
  runner.kill('SIGTERM')
  expect(await once(runner, 'exit')).toEqual([143, null])
  // A killed process exists until the kernel has taken it down.
  await expect.poll(() => processMark(server)).toBeUndefined()
  expect(trialFolders(parent)).toEqual([])
})

it('the next trial ends what a killed one has left behind', async () => {
  const { runner, server, parent } = await startTrial()
  const [name = ''] = trialFolders(parent)
  const group = Number(fs.readFileSync(path.join(parent, name, 'group')))
  await endLeftovers(parent)
  expect(processMark(server), 'the processes of a running trial stay').toBeDefined()
  runner.kill('SIGKILL')
  process.kill(group, 'SIGKILL')
  await once(runner, 'exit')
  expect(processMark(server)).toBeDefined()
  await endLeftovers(parent)
  await expect.poll(() => processMark(server)).toBeUndefined()
  expect(trialFolders(parent)).toEqual([])
})
