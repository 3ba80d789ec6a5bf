import { act, screen } from '@testing-library/react'
import { vi } from 'vitest'
import { queriesNotified } from './queries.ts'

/**
 * Waits for a toast with this text, and until the screen shows what the command changed: the toast may be
 * rendered first. Ignores the copy that Radix renders for screen readers.
 */
export async function findToast(text: string | RegExp): Promise<HTMLElement> {
  const toast = await screen.findByText(text, { selector: 'ol li *' })
  if (!vi.isFakeTimers()) await act(queriesNotified)
  return toast
}
