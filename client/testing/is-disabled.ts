/** Whether a button takes no clicks; a focused one is disabled by ARIA only (client/ui/buttons/button.tsx). */
export const isDisabled = (button: HTMLElement): boolean =>
  button.matches(':disabled, [aria-disabled="true"]')
