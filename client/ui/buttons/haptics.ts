import { prefersReducedMotion } from '#client/ui/theme.ts'

/** Vibrations and pauses, ms. */
const PATTERNS = { switched: [15], paid: [15, 60, 15] }

/**
 * Confirms the success of what the member has just pressed, where the device can vibrate. Browsers
 * log an error for a vibration of a page that was not touched yet.
 */
export function vibrate(kind: keyof typeof PATTERNS): void {
  if (prefersReducedMotion() || navigator.userActivation?.hasBeenActive === false) return
  navigator.vibrate?.(PATTERNS[kind])
}
