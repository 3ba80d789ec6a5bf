import { copyText } from '#client/ui/buttons/copy-text.ts'

/** `dismissed`: the member closed the share sheet. */
export type ShareOutcome = 'shared' | 'dismissed' | 'copied' | 'failed'

export type Invitation = { title: string; text: string; url: string }

/** Whether the member closed the sheet; any other failure means that it did not open. */
const isDismissed = (error: unknown) => (error as DOMException).name === 'AbortError'

/**
 * Opens the share sheet of the device, or copies the link where there is none. Call it directly from
 * a click: browsers open the sheet for a user gesture only.
 */
export async function shareLink(invitation: Invitation): Promise<ShareOutcome> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(invitation)
      return 'shared'
    } catch (error) {
      if (isDismissed(error)) return 'dismissed'
    }
  }
  return (await copyText(invitation.url)) ? 'copied' : 'failed'
}
