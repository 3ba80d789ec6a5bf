import type { Browser } from 'playwright-core'
import { launchChromium } from '#scripts/browser/chromium'

/** Arguments of Chromium, and whether it shows scrollbars. */
export type BrowserOptions = { chromium?: string[]; scrollbars?: boolean }

const browsers = new Map<string, Promise<Browser>>()

/**
 * The browser of this worker with these options: its journeys share it, because a launch takes more
 * than a second of CPU time. Each opens contexts of its own and closes them; Chromium ends with the
 * process.
 */
export async function sharedBrowser({
  chromium = [],
  scrollbars = false,
}: BrowserOptions = {}): Promise<Browser> {
  const key = JSON.stringify([chromium, scrollbars])
  const running = await browsers.get(key)?.catch(() => undefined)
  if (running?.isConnected()) return running
  const ignoreDefaultArgs = scrollbars ? ['--hide-scrollbars'] : []
  const launched = launchChromium({ args: chromium, ignoreDefaultArgs })
  browsers.set(key, launched)
  return launched
}
