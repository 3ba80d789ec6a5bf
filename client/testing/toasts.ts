import { store } from '#client/data/query-cache.ts'
import { toastAtom } from '#client/ui/toasts/toast.ts'

/** Records each toast as `title: description`, in order, until `stop`. */
export function recordToasts(): { texts: string[]; stop(): void } {
  const texts: string[] = []
  const stop = store.sub(toastAtom, () => {
    const shown = store.get(toastAtom)
    if (shown?.open) texts.push([shown.title, shown.description].filter(Boolean).join(': '))
  })
  return { texts, stop }
}
