/** Whether a button takes no clicks; a focused one is disabled by ARIA only (use-disabled.ts). */
export const isDisabled = (button: HTMLElement): boolean =>
  button.matches(':disabled, [aria-disabled="true"]')
