import { type ComponentType, useEffect, useState } from 'react'
import { whenIdle } from '#client/first-load/when-idle.ts'
import { subscribe } from '#client/ui/toasts/toast.ts'

/**
 * The toaster, loaded when the page is idle: no page begins with a toast. One that is shown earlier
 * loads it at once, and each toast loads it again if that failed.
 */
export function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType>()
  useEffect(() => {
    if (Toaster) return
    const load = () => {
      import('./toaster.tsx').then(
        (module) => setToaster(() => module.Toaster),
        () => {},
      )
    }
    void whenIdle().then(load)
    return subscribe(load)
  }, [Toaster])
  return Toaster && <Toaster />
}
