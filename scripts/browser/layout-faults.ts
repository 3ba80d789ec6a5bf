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
      // So may an e-mail address.
      if (word.includes('@')) continue
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

/** Texts that leave the panel, row or button that they are in; those that are cut off do not count. */
const STRAY_TEXTS = `(() => {
  const stray = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const isCut = (one, box) => one !== box && (getComputedStyle(one).overflow !== 'visible' || isCut(one.parentElement, box))
  while (texts.nextNode()) {
    const text = texts.currentNode
    const box = text.parentElement.closest('section, li, button, header, footer')
    if (!box || !text.data.trim() || text.parentElement.closest('.sr-only, svg')) continue
    if (!text.parentElement.checkVisibility({ contentVisibilityAuto: true }) || isCut(text.parentElement, box)) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const { left, right, top, bottom, width } = range.getBoundingClientRect()
    const outer = box.getBoundingClientRect()
    // The letters of a font may be higher than their line.
    const slack = 1 + parseFloat(getComputedStyle(text.parentElement).fontSize) / 8
    const isWithin = left > outer.left - 1 && right < outer.right + 1 && top > outer.top - slack && bottom < outer.bottom + slack
    if (width > 0 && !isWithin) stray.push(text.data.trim().slice(0, 40))
  }
  return stray
})()`

export const strayTexts = (page: Page): Promise<string[]> => page.evaluate(STRAY_TEXTS)

export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Controls where a finger of 44 px would miss them; what extends a control beyond its box counts. */
const SMALL_TARGETS = `(() => {
  const small = []
  for (const one of document.querySelectorAll('a[href], button, [role=tab], [role=switch], summary')) {
    if (!one.checkVisibility() || one.disabled || one.classList.contains('sr-only')) continue
    one.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, right, top, bottom } = one.getBoundingClientRect()
    const isHit = (y) => one.contains(document.elementFromPoint((left + right) / 2, y))
    let height = 0
    for (let y = top - 44; y <= bottom + 44; y++) height += isHit(y)
    if (height < 43) small.push((one.ariaLabel || one.textContent.trim()) + ': ' + height + ' px')
  }
  scrollTo(0, 0)
  return small
})()`

export const smallTargets = (page: Page): Promise<string[]> => page.evaluate(SMALL_TARGETS)
