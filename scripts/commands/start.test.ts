import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '#db/process/free-port'
import { removeDataDir } from '#scripts/embedded/postgres-home'
import { embeddedOwner } from '#scripts/embedded/servers'
import { lockOwner } from '#scripts/process/process-lock.mjs'
import { ROOT } from '#scripts/process/root'
import { testFolder } from '#scripts/testing/temp-folder'

async function npmStart() {
  const dataDir = path.join(testFolder(), 'data')
  onTestFinished(() => removeDataDir(dataDir))
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    TESP_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DATABASE_URL: '',
    REDIS_URL: '',
  }
  const runner = spawn(process.execPath, ['scripts/run.mjs', 'start'], { cwd: ROOT, env })
  onTestFinished(() => void runner.kill('SIGKILL'))
  let output = ''
  for (const stream of [runner.stdout, runner.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const url = await vi.waitFor(
    () => {
      const ready = /^TESP Network is ready: (\S+)$/m.exec(output)
      if (!ready?.[1]) throw new Error(output)
      return ready[1]
    },
    { timeout: 30_000, interval: 50 },
  )
  const isGone = () =>
    embeddedOwner(dataDir) === undefined &&
    ['postgres', 'valkey'].every((kind) => !lockOwner(path.join(dataDir, `${kind}.lock`)))
  return { runner, url, isGone }
}

describe('npm start', () => {
  it('npm start serves the client, stops with exit code 0 and leaves no process', {
    timeout: 60_000,
  }, async () => {
    const { runner, url, isGone } = await npmStart()
    expect(isGone()).toBe(false)
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<title>TESP Network')
    runner.kill('SIGTERM')
    expect(await once(runner, 'exit')).toEqual([0, null])
    expect(isGone()).toBe(true)
    await expect(fetch(url)).rejects.toThrow()
  })

  it('a killed npm start leaves no process', { timeout: 60_000 }, async () => {
    const { runner, url, isGone } = await npmStart()
    runner.kill('SIGKILL')
    await vi.waitFor(() => expect(isGone()).toBe(true), { timeout: 20_000, interval: 100 })
    await expect(fetch(url)).rejects.toThrow()
  })
})
