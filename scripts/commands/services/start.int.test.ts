import { once } from 'node:events'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { lockOwner } from '#runtime/process/lifetime/process-lock.mjs'
import { embeddedOwner } from '#scripts/embedded/servers'
import { spawnCommand } from '#scripts/testing/spawn-command'

async function npmStart(onData?: string) {
  const ready = /^TESP Network is ready: (\S+)$/m
  const { runner, dataDir, url } = await spawnCommand('start', ready, 200_000, onData)
  const isGone = () =>
    embeddedOwner(dataDir) === undefined &&
    ['postgres', 'valkey'].every((kind) => !lockOwner(path.join(dataDir, `${kind}.lock`)))
  return { runner, dataDir, url, isGone }
}

it('npm start serves the client, and leaves no process when it is stopped and when it is killed', async () => {
  const { runner, dataDir, url, isGone } = await npmStart()
  expect(isGone()).toBe(false)
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<title>TESP Network')
  runner.kill('SIGTERM')
  expect(await once(runner, 'exit')).toEqual([0, null])
  expect(isGone()).toBe(true)
  await expect(fetch(url)).rejects.toThrow()

  // On the same data: making a cluster and its schema takes a third of the test's CPU time.
  const again = await npmStart(dataDir)
  again.runner.kill('SIGKILL')
  await vi.waitFor(() => expect(again.isGone()).toBe(true), { timeout: 60_000, interval: 100 })
  await expect(fetch(again.url)).rejects.toThrow()
})
