import { useLayoutEffect, useState } from 'react'

/** Upper and lower edge in pixels of the window. */
export type Span = { top: number; bottom: number }

/** Pixels around a toast: the padding of its viewport. */
const GAP = 12

function covered(top: number, height: number, controls: Span[]): number {
  const overlap = (one: Span) => Math.min(top + height, one.bottom) - Math.max(top, one.top)
  return controls.reduce((sum, one) => sum + Math.max(0, overlap(one)), 0)
}

/** The highest place that covers no control or text, else the one that covers least of controls, then of texts. */
export function freeTop(
  height: number,
  limits: Span,
  controls: Span[],
  texts: Span[] = [],
): number {
  const lowest = limits.bottom - height
  const ends = [...controls, ...texts].map(({ bottom }) => bottom + GAP)
  const places = [limits.top, ...ends, lowest]
    .filter((top) => top >= limits.top && top <= Math.max(limits.top, lowest))
    .map((top) => ({
      top,
      controls: covered(top, height, controls),
      texts: covered(top, height, texts),
    }))
    .sort((a, b) => a.controls - b.controls || a.texts - b.texts || a.top - b.top)
  return places[0]?.top ?? limits.top
}

/** Disabled buttons too: one that waits for an answer can be pressed after it. */
const CONTROLS =
  'a[href], button, input, select, textarea, label, [role=tab], [role=switch], [role^=menuitem]'

const openLayer = () => document.querySelector(':is([role=menu], [role=dialog])[data-state=open]')

/** What a dialog says, which may be a warning. */
const TEXTS = 'h2, p'

/** What of the open menu or dialog, or else of the page, lies in the columns of the toast. */
function spansUnder(toast: DOMRect, selector: string): Span[] {
  return [...(openLayer() ?? document).querySelectorAll(selector)]
    .filter((one) => !one.closest('[data-toasts]'))
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, left, right }) => width > 1 && right > toast.left && left < toast.right)
}

/** Between header and navigation, which a dialog veils, above the keyboard of a phone. */
function limitsOfPage(): Span {
  const visible = window.visualViewport?.height ?? window.innerHeight
  if (openLayer()?.matches('[role=dialog]')) return { top: GAP, bottom: visible - GAP }
  const header = document.querySelector('header.sticky')?.getBoundingClientRect()
  const navigation = document.querySelector('nav.sticky')
  const end = navigation?.getBoundingClientRect().top ?? visible
  return { top: Math.max(0, header?.bottom ?? 0) + GAP, bottom: Math.min(end, visible) - GAP }
}

function isBeside(toast: DOMRect): boolean {
  const column = document.querySelector('main')?.getBoundingClientRect()
  // Both are laid out at fractions of a pixel.
  return column !== undefined && toast.left > column.right - 1
}

function place(toast: HTMLElement): void {
  const viewport = toast.closest('ol')
  if (!viewport) return
  const rect = toast.getBoundingClientRect()
  if (isBeside(rect)) {
    viewport.style.top = ''
    return
  }
  const controls = spansUnder(rect, CONTROLS)
  const texts = openLayer() ? spansUnder(rect, TEXTS) : []
  const limits = limitsOfPage()
  const isPlaced = viewport.style.top !== '' && rect.top >= limits.top
  if (isPlaced && covered(rect.top, rect.height, [...controls, ...texts]) === 0) return
  viewport.style.top = `${freeTop(rect.height, limits, controls, texts) - GAP}px`
}

/** Placed again when another screen, more of it or a menu is shown; beside the column if the window has room. */
export function useToastPlace() {
  // The first toast is mounted after its component: the primitive waits for its viewport.
  const [element, setElement] = useState<HTMLLIElement | null>(null)
  useLayoutEffect(() => {
    const viewport = element?.closest('ol')
    if (!element || !viewport) return
    // Not where the toast before it was.
    viewport.style.top = ''
    const replace = () => place(element)
    replace()
    const sizes = new ResizeObserver(replace)
    sizes.observe(document.body)
    const contents = new MutationObserver((changes) => {
      const isOfToasts = ({ target }: MutationRecord) =>
        target instanceof Element && target.closest('[data-toasts]')
      if (!changes.every(isOfToasts)) replace()
    })
    // A menu is moved to its button, by its style, after it was added.
    contents.observe(document.body, { childList: true, subtree: true, attributeFilter: ['style'] })
    return () => {
      sizes.disconnect()
      contents.disconnect()
    }
  }, [element])
  return setElement
}
