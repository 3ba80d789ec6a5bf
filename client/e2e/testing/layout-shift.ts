import type { Page } from 'playwright-core'

/** Records every layout shift of a document from its first paint; run it before navigation. */
export const RECORD_SHIFTS = `
  window.layoutShifts = []
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement
        const text = element?.textContent?.slice(0, 40) ?? 'removed'
        return { element: element?.tagName + ' ' + text, from: previousRect.y, to: currentRect.y }
      })
      window.layoutShifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

export type LayoutShift = {
  /** Impact fraction times distance fraction, as in Cumulative Layout Shift. */
  value: number
  /** Up to five elements that moved, with their old and new top edge in pixels. */
  moved: { element: string; from: number; to: number }[]
}

/**
 * A line moves down by at most a pixel when its font replaces the fallback of the same metrics, and
 * several lines may do so in one frame.
 */
const FONT_SWAP = { value: 0.002, pixels: 1 }

/** The shifts that a member could see. */
export async function layoutShifts(page: Page): Promise<LayoutShift[]> {
  const shifts = await page.evaluate<LayoutShift[]>('window.layoutShifts')
  return shifts.filter(
    ({ value, moved }) =>
      value > FONT_SWAP.value ||
      moved.some(({ from, to }) => Math.abs(to - from) > FONT_SWAP.pixels),
  )
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
