import { type RefObject, useEffect, useState } from 'react'

/** Height of a row, rem: fixed, so that what is not drawn keeps its place. */
export const ROW_REM = 4
/** Rows are drawn anew each time that so many have passed. */
const STEP = 20
/** Drawn at once: more than any box shows, with a step to spare on either side. */
const DRAWN = 60

/** The first of the rows to draw when the box has been scrolled past `passed` of them. */
export function firstRow(passed: number, count: number): number {
  const last = Math.max(0, count - DRAWN)
  return Math.min(last, Math.max(0, Math.floor(passed / STEP) * STEP - STEP))
}

/** Which rows of a long list to draw: those in sight of its box, and some around them. */
export function useVisibleRows(box: RefObject<HTMLElement | null>, count: number) {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const scroller = box.current
    if (!scroller) return
    const follow = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
      const rows = scroller.scrollTop / (ROW_REM * rem)
      setPassed(Math.floor(rows / STEP) * STEP)
    }
    scroller.addEventListener('scroll', follow, { passive: true })
    return () => scroller.removeEventListener('scroll', follow)
  }, [box])
  const first = firstRow(passed, count)
  return { first, end: Math.min(count, first + DRAWN) }
}
