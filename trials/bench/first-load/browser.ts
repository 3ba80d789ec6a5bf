import { freePort } from '#runtime/config/free-port'
import { launchChromium } from '#scripts/browser/chromium'
import type { Side } from './side.ts'

/** A browser for Lighthouse. */
export type LoadBrowser = { port: number; close(): Promise<void> }

/** Starts a browser that holds the member's cookies of a side, or none. */
export async function openBrowser(side: Side, isMember: boolean): Promise<LoadBrowser> {
  const port = await freePort()
  const browser = await launchChromium({ args: [`--remote-debugging-port=${port}`] })
  if (isMember) {
    const session = await browser.newBrowserCDPSession()
    const cookies = side.cookies.map((cookie) => ({ ...cookie, url: side.url }))
    await session.send('Storage.setCookies', { cookies })
    await session.detach()
  }
  return { port, close: () => browser.close() }
}
