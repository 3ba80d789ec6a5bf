import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { OperatorError } from '#runtime/operator-error'
import { testConfig } from '#scripts/testing/db/database'
import { insertMembers } from '#scripts/testing/db/members'
import { startConsole } from './server.ts'
import { useConsole } from './testing/use-console.ts'

const operator = useConsole()
type Change = { consoleHost?: string; consoleOrigin?: string; redisUrl?: string }
const started = (change: Change) =>
  startConsole({ ...testConfig(operator.fresh), redisUrl: '', consolePort: 0, ...change })

/** Opens a page of another console as the operator. */
const opened = (origin: string, path: string) => {
  const cookie = operator.jar.header() ?? ''
  return fetch(`${origin}${path}`, { headers: { Cookie: cookie } })
}

it('the console listens beyond this machine only if a host is set', async () => {
  const ofContainer = await started({ consoleHost: '0.0.0.0' })
  /** 127.0.0.2 reaches a server that listens on every address. */
  const elsewhere = (origin: string, path: string) =>
    fetch(`${origin.replace('127.0.0.1', '127.0.0.2')}${path}`).then(({ status }) => status)
  try {
    await expect(elsewhere(operator.origin, '/readyz')).rejects.toThrow()
    expect(await elsewhere(ofContainer.origin, '/readyz')).toBe(200)
    expect(await elsewhere(ofContainer.origin, '/sign-in')).toBe(421)
  } finally {
    await ofContainer.close()
  }
})

it.each(['http://console.tesp.example', 'ftp://127.0.0.1', 'https://a.example/path', 'x'])(
  'the origin %s is refused',
  async (consoleOrigin) => {
    await expect(started({ consoleOrigin })).rejects.toThrow('CONSOLE_ORIGIN')
  },
)

it('a sign-in survives a restart of the console', async () => {
  await operator.signIn()
  const other = await started({})
  try {
    const page = await opened(other.origin, '/members')
    expect(page.url).toBe(`${other.origin}/members`)
  } finally {
    await other.close()
  }
})

it.each([
  ['member', '<p class="none">Unknown: Redis does not answer.</p>'],
  ['team', '<dt>Members with a known network</dt><dd>0</dd>'],
])('the page of a %s opens while Redis is away', async (kind, unknown) => {
  await operator.signIn()
  const { db } = operator.fresh
  const [id, direct] = await insertMembers(db, 2)
  await db('users').where({ id: direct }).update({ referredBy: id })
  const other = await started({ redisUrl: 'redis://127.0.0.1:1' })
  try {
    const page = await opened(other.origin, `/${kind}s/${id}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(unknown)
  } finally {
    await other.close()
  }
})

it('the console ends while a browser holds a connection that it opened ahead', async () => {
  const other = await started({})
  const { hostname, port } = new URL(other.origin)
  const ahead = connect(Number(port), hostname)
  await once(ahead, 'connect')
  // Connections are accepted in their order.
  await fetch(`${other.origin}/readyz`)
  const cut = once(ahead, 'close')
  await other.close()
  await cut
})

it('a console on a port in use says so in one sentence', async () => {
  const port = Number(new URL(operator.origin).port)
  const config = { ...testConfig(operator.fresh), consolePort: port }
  await expect(startConsole(config)).rejects.toThrow(
    new OperatorError(
      `Port ${port} is in use by another program: stop it or set CONSOLE_PORT to a free one.`,
    ),
  )
})
