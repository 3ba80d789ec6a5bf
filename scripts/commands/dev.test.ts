import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '#db/process/free-port'
import { inputHash } from '#scripts/build/input-hash'
import { removeDataDir } from '#scripts/embedded/postgres-home'
import { embeddedOwner } from '#scripts/embedded/servers'
import { ROOT } from '#scripts/process/root'
import { DEMO_LEADER, DEMO_PASSWORD } from '#scripts/seed/demo-members'
import { testFolder } from '#scripts/testing/temp-folder'

const TREE = ['client', 'db', 'docs', 'gateway', 'scripts', 'workers', 'package.json']

async function npmRunDev() {
  const dataDir = path.join(testFolder(), 'data')
  onTestFinished(() => removeDataDir(dataDir))
  const port = await freePort()
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    TESP_DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '',
    DATABASE_URL: '',
    REDIS_URL: '',
  }
  const runner = spawn(process.execPath, ['scripts/run.mjs', 'dev'], { cwd: ROOT, env })
  onTestFinished(() => void runner.kill('SIGKILL'))
  let output = ''
  for (const stream of [runner.stdout, runner.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ready = () => {
    if (!output.includes(DEMO_PASSWORD)) throw new Error(output)
  }
  await vi.waitFor(ready, { timeout: 90_000, interval: 50 })
  return { runner, dataDir, url: `http://localhost:${port}` }
}

it('npm run dev serves the page and the API, and leaves nothing behind', {
  timeout: 120_000,
}, async () => {
  const before = inputHash(ROOT, TREE)
  const { runner, dataDir, url } = await npmRunDev()

  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('/@vite/client')
  const module = await fetch(`${url}/main.tsx`)
  expect(module.headers.get('content-type')).toContain('javascript')
  const secret = await fetch(`${url}/@fs${dataDir}/secrets.json`)
  expect(secret.status).toBe(403)

  const signIn = (origin: string) =>
    fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: DEMO_LEADER, password: DEMO_PASSWORD }),
    })
  expect((await signIn('http://evil.example')).status).toBe(403)
  const answer = await signIn(url)
  expect(answer.status).toBe(200)
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const status = await fetch(`${url}/api/mining/status`, { headers: { cookie } })
  expect(await status.json()).toMatchObject({ active: true })

  runner.kill('SIGINT')
  expect(await once(runner, 'exit')).toEqual([0, null])
  expect(embeddedOwner(dataDir)).toBeUndefined()
  await expect(fetch(url)).rejects.toThrow()
  expect(inputHash(ROOT, TREE)).toBe(before)
})
