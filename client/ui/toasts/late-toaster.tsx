import { type ComponentType, useEffect, useState } from 'react'
import { subscribe } from '#client/ui/toasts/toast.tsx'

/**
 * The toaster, loaded after the first paint: no page begins with a toast. One that is shown earlier
 * appears when the code is there, and each toast loads it again if that failed.
 */
export function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType>()
  useEffect(() => {
    if (Toaster) return
    const load = () => {
      import('#client/ui/toasts/toaster.tsx').then(
        (module) => setToaster(() => module.Toaster),
        () => {},
      )
    }
    load()
    return subscribe(load)
  }, [Toaster])
  return Toaster && <Toaster />
}
