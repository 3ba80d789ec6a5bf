import { once } from 'node:events'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { embeddedOwner } from '#scripts/embedded/servers'
import { lockOwner } from '#scripts/process/lifetime/process-lock.mjs'
import { spawnCommand } from '#scripts/testing/spawn-command'

async function npmStart() {
  const ready = /^TESP Network is ready: (\S+)$/m
  const { runner, dataDir, url } = await spawnCommand('start', ready, 90_000)
  const isGone = () =>
    embeddedOwner(dataDir) === undefined &&
    ['postgres', 'valkey'].every((kind) => !lockOwner(path.join(dataDir, `${kind}.lock`)))
  return { runner, url, isGone }
}

describe('npm start', () => {
  it('npm start serves the client, stops with exit code 0 and leaves no process', {
    timeout: 120_000,
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

  it('a killed npm start leaves no process', { timeout: 120_000 }, async () => {
    const { runner, url, isGone } = await npmStart()
    runner.kill('SIGKILL')
    await vi.waitFor(() => expect(isGone()).toBe(true), { timeout: 60_000, interval: 100 })
    await expect(fetch(url)).rejects.toThrow()
  })
})
