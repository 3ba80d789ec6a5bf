import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#runtime/config/free-port'
import { miniBrowser } from '#trials/kit/needs'
import type { Trial } from '#trials/kit/trial'
import { until } from '#trials/kit/until'
import { COMMANDS, type Driver, SCREEN } from './page.ts'

/** Room above the page, px. */
const TOOLBAR = 56
const CALL_LIMIT_MS = 30_000

/** Without it the toolbar makes the window wider than a phone. */
const NARROW = `
  toolbar, toolbar *, headerbar, headerbar *, box.horizontal > button { min-width: 0; padding: 0; margin: 0 }
  toolbar image, headerbar image { -gtk-icon-source: none }
  entry { min-width: 0; font-size: 1px }`

async function startDisplay(defer: Trial['defer']): Promise<string> {
  const size = `${SCREEN.width}x${SCREEN.height + TOOLBAR}x24`
  const args = ['-displayfd', '1', '-screen', '0', size, '-nolisten', 'tcp']
  const xvfb = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  defer(() => xvfb.kill())
  const [number] = await once(xvfb.stdout, 'data')
  return `:${String(number).trim()}`
}

async function call(url: string, body?: object): Promise<unknown> {
  const method = body ? 'POST' : 'GET'
  const signal = AbortSignal.timeout(CALL_LIMIT_MS)
  const answer = await fetch(url, { method, signal, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await answer.json()) as { value: unknown }
  if (!answer.ok) throw new Error(JSON.stringify(value))
  return value
}

export async function startWebKit({ folder, defer }: Trial): Promise<Driver> {
  const home = path.join(folder, 'webkit')
  fs.mkdirSync(path.join(home, 'gtk-3.0'), { recursive: true })
  fs.writeFileSync(path.join(home, 'gtk-3.0/gtk.css'), NARROW)
  const [display, port] = await Promise.all([startDisplay(defer), freePort()])
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      DISPLAY: display,
      HOME: home,
      XDG_CONFIG_HOME: home,
      LIBGL_ALWAYS_SOFTWARE: '1',
      // Its sandbox starts neither as root nor where accounts may not make namespaces.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
  const url = `http://127.0.0.1:${port}`
  await until('WebKitWebDriver accepts commands', () => call(`${url}/status`))
  const options = { binary: miniBrowser(), args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const session = (await call(`${url}/session`, { capabilities })) as { sessionId: string }
  const at = `${url}/session/${session.sessionId}`
  defer(async () => {
    await fetch(at, { method: 'DELETE' }).catch(() => {})
    driver.kill()
  })
  const send: Driver['send'] = (command, { id, ...parameters }: { id?: string }) =>
    call(`${at}/${COMMANDS[command].replace('{id}', id ?? '')}`, parameters)
  const script = 'return outerHeight - innerHeight'
  await send('SetWindowRect', { x: 0, y: 0, ...SCREEN })
  const toolbar = Number(await send('ExecuteScript', { script, args: [] }))
  await send('SetWindowRect', { ...SCREEN, height: SCREEN.height + toolbar })
  return {
    send,
    // Of the display: the driver's own pictures do not end on some pages.
    async picture() {
      const file = path.join(home, 'picture.png')
      const crop = `-crop ${SCREEN.width}x${SCREEN.height}+0+${toolbar} +repage`
      const args = `-display ${display} -window root ${crop} ${file}`.split(' ')
      await promisify(execFile)('import', args)
      return fs.readFileSync(file)
    },
  }
}
