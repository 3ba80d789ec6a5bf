import type { Page } from 'playwright-core'

/** Records every layout shift of a document from its first paint; run it before navigation. */
export const RECORD_SHIFTS = `
  window.layoutShifts = []
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement
        const text = element?.textContent?.slice(0, 40) ?? 'removed'
        return element?.tagName + ' ' + text + ': ' + previousRect.y + ' -> ' + currentRect.y
      })
      window.layoutShifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

export type LayoutShift = {
  /** Impact fraction times distance fraction, as in Cumulative Layout Shift. */
  value: number
  /** Up to five elements that moved, with their old and new top edge in pixels. */
  moved: string[]
}

/** A text moves by up to a pixel when its font takes over from the fallback of the same widths. */
const FONT_SWAP = 0.0005

/** The shifts that a member could see. */
export async function layoutShifts(page: Page): Promise<LayoutShift[]> {
  const shifts = await page.evaluate<LayoutShift[]>('window.layoutShifts')
  return shifts.filter(({ value }) => value > FONT_SWAP)
}

/** A first visit over a slow mobile network: nothing cached, 1.6 Mbit/s, 150 ms latency. */
export async function slowNetwork(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  })
}
