import type { Browser, LaunchOptions } from 'playwright-core'
import { launchChromium } from '#scripts/browser/chromium'

const browsers = new Map<string, Promise<Browser>>()

/**
 * The browser of this worker with these options: its journeys share it, because a launch takes more
 * than a second of CPU time. Each opens contexts of its own and closes them; Chromium ends with the
 * process.
 */
export async function sharedBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const key = JSON.stringify(options)
  const running = await browsers.get(key)?.catch(() => undefined)
  if (running?.isConnected()) return running
  const launched = launchChromium(options)
  browsers.set(key, launched)
  return launched
}
