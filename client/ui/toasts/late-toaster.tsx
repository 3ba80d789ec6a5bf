import { type ComponentType, useEffect, useState } from 'react'
import { whenIdle } from '#client/first-load/when-idle.ts'
import { subscribe } from '#client/ui/toasts/toast.ts'

/** Loaded when the page is idle, or with the first toast; each toast loads it again if that failed. */
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
