import { once } from 'node:events'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { inputHash } from '#scripts/build/build-once'
import { embeddedOwner } from '#scripts/embedded/servers'
import { DEMO_LEADER, DEMO_PASSWORD } from '#scripts/seed/demo-members'
import { spawnCommand } from '#scripts/testing/spawn-command'

const READY = /^TESP Network is ready for development: (\S+)$/m
const TREE = ['client', 'db', 'docs', 'gateway', 'scripts', 'workers', 'package.json']

it('npm run dev serves the page and the API, and leaves nothing behind', async () => {
  const before = inputHash(ROOT, TREE)
  const { runner, dataDir, url } = await spawnCommand('dev', READY, 200_000)

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
