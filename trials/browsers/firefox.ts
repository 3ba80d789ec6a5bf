import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { freePort } from '#runtime/config/free-port'
import { firefoxProgram } from '#trials/kit/needs'
import type { Trial } from '#trials/kit/trial'
import { until } from '#trials/kit/until'
import { type Driver, SCREEN } from './page.ts'

/** Its push service refuses connections, as where a network blocks it. */
const settings = (port: number) => ({
  'marionette.port': port,
  'intl.accept_languages': 'en-US',
  // As on a phone: over the page.
  'ui.useOverlayScrollbars': 1,
  'permissions.default.desktop-notification': 1,
  // No security key is waited for.
  'security.webauth.webauthn_enable_usbtoken': false,
  'dom.push.serverURL': 'wss://127.0.0.1:9/',
  'toolkit.legacyUserProfileCustomizations.stylesheets': true,
})

function writeProfile(profile: string, port: number): void {
  const lines = Object.entries(settings(port)).map(
    (one) => `user_pref(${JSON.stringify(one).slice(1, -1)});`,
  )
  fs.mkdirSync(path.join(profile, 'chrome'), { recursive: true })
  fs.writeFileSync(path.join(profile, 'user.js'), lines.join('\n'))
  // Without it no window is narrower than 500 px.
  const style = ':root { min-width: 0 !important }'
  fs.writeFileSync(path.join(profile, 'chrome/userChrome.css'), style)
}

type Reply = [
  type: 1,
  id: number,
  error: { error: string; message: string } | null,
  result: unknown,
]

/** One command at a time in Firefox's protocol: WebDriver over TCP; a message is its length, a colon, and JSON. */
function marionette(socket: net.Socket) {
  let received = Buffer.alloc(0)
  let answer = (_reply: Reply) => {}
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (let colon = received.indexOf(':'); colon > 0; colon = received.indexOf(':')) {
      const end = colon + 1 + Number(received.subarray(0, colon))
      if (received.length < end) return
      const message = JSON.parse(received.subarray(colon + 1, end).toString())
      received = received.subarray(end)
      // The first message is a greeting.
      if (Array.isArray(message)) answer(message as Reply)
    }
  })
  socket.on('close', () => answer([1, 0, { error: 'closed', message: 'Firefox has ended' }, null]))
  return async (name: string, parameters: object): Promise<unknown> => {
    const message = JSON.stringify([0, 0, `WebDriver:${name}`, parameters])
    const [, , error, result] = await new Promise<Reply>((resolve) => {
      answer = resolve
      socket.write(`${Buffer.byteLength(message)}:${message}`)
    })
    if (error) throw new Error(`${error.error}: ${error.message}`)
    return (result as { value?: unknown } | null)?.value
  }
}

export async function startFirefox({ folder, defer }: Trial): Promise<Driver> {
  const profile = path.join(folder, 'firefox')
  const port = await freePort()
  writeProfile(profile, port)
  const args = ['--headless', '--kiosk', '--marionette', '--no-remote', '--profile', profile]
  const size = { MOZ_HEADLESS_WIDTH: `${SCREEN.width}`, MOZ_HEADLESS_HEIGHT: `${SCREEN.height}` }
  const browser = spawn(firefoxProgram() ?? '', [...args, 'about:blank'], {
    env: { PATH: process.env.PATH, HOME: profile, ...size },
    stdio: 'ignore',
  })
  defer(() => browser.kill('SIGKILL'))
  const socket = new net.Socket().on('error', () => {})
  defer(() => socket.destroy())
  await until('Firefox accepts commands', () => once(socket.connect(port, '127.0.0.1'), 'connect'))
  const send = marionette(socket)
  await send('NewSession', { capabilities: { alwaysMatch: {} } })
  return {
    send,
    picture: async () =>
      Buffer.from(String(await send('TakeScreenshot', { full: false })), 'base64'),
  }
}
