import { Slot } from 'radix-ui'
import { type ReactElement, type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { whenIdle } from '#client/first-load/when-idle.ts'
import type { EarlyUse } from './loaded-tooltip.tsx'

export type TooltipProps = {
  content: ReactNode
  /** One focusable element that takes a ref: a button or a link. */
  children: ReactElement
}

const LoadedTooltip = lazyComponent(() => import('./loaded-tooltip.tsx'), 'LoadedTooltip')

export const preloadTooltips = () => LoadedTooltip.preload()

/** Its code is loaded when the page is idle; an element rendered before becomes its trigger when it is used. */
export function Tooltip(props: TooltipProps) {
  const [hasCode, setHasCode] = useState(LoadedTooltip.isLoaded)
  const [early, setEarly] = useState<EarlyUse>()
  useEffect(() => void whenIdle().then(preloadTooltips), [])
  if (hasCode) return <LoadedTooltip {...props} early={early} />

  async function use({ currentTarget, type }: SyntheticEvent) {
    await preloadTooltips()
    if (!LoadedTooltip.isLoaded()) return
    const hadFocus = document.activeElement === currentTarget
    // The focus may have moved on while the code was loading.
    const open = type === 'click' || (type === 'focus' && hadFocus)
    // At once: the trigger is a new element that takes the focus, which must not move in between.
    flushSync(() => {
      setEarly({ open, hadFocus })
      setHasCode(true)
    })
  }
  return (
    <Slot.Root onPointerMove={use} onFocus={use} onClick={use}>
      {props.children}
    </Slot.Root>
  )
}
