import { widthEm } from './fit-text.tsx'

/**
 * Font size at which a figure fits a panel's row of its own on a phone: large text would make a long
 * amount scroll the page. For rows that share their width with a title, where `FitText` has no width.
 */
export const rowFit = (text: string): string =>
  `min(1em, calc((100vw - min(4.75rem, 23.75vw)) / ${widthEm(text).toFixed(2)}))`
