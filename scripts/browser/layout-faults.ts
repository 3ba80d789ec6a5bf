import type { Page } from 'playwright-core'

/** Words of the page that are broken over two lines. */
const BROKEN_WORDS = `(() => {
  const broken = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    // A code may break anywhere, and hidden texts have no lines.
    if (text.parentElement.closest('.font-mono, .sr-only')) continue
    for (const { 0: word, index } of text.data.matchAll(/[^\\s-/]+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (tops.size > 1) broken.push(word)
    }
  }
  return broken
})()`

export const brokenWords = (page: Page): Promise<string[]> => page.evaluate(BROKEN_WORDS)

/** Pixels by which the page is wider than its window. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')
