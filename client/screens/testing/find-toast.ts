import { screen } from '@testing-library/react'

/** Waits for a toast with this text. The copy that Radix announces to screen readers does not match. */
export function findToast(text: string | RegExp): Promise<HTMLElement> {
  return screen.findByText(text, { selector: 'ol li *' })
}
