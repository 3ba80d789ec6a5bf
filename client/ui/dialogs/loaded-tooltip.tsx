import { Tooltip as Primitive } from 'radix-ui'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import type { TooltipProps } from './tooltip.tsx'

const OPEN_DELAY_MS = 700
/** Real ms after a tooltip has closed in which the next one opens without delay (Specification §9). */
const SKIP_DELAY_MS = 300

let closedAt = 0

export type EarlyUse = { open: boolean; hadFocus: boolean }

export function LoadedTooltip({
  content,
  children,
  early,
}: TooltipProps & { early?: EarlyUse | undefined }) {
  const [open, setOpen] = useState(early?.open ?? false)
  const trigger = useRef<HTMLButtonElement>(null)
  const hadFocus = early?.hadFocus ?? false
  useLayoutEffect(() => {
    if (hadFocus) trigger.current?.focus()
  }, [hadFocus])

  function change(next: boolean) {
    if (!next) closedAt = Date.now()
    setOpen(next)
  }
  function openSoonAfter({ pointerType }: PointerEvent) {
    if (pointerType !== 'touch' && Date.now() - closedAt <= SKIP_DELAY_MS) setOpen(true)
  }

  return (
    <Primitive.Provider delayDuration={OPEN_DELAY_MS}>
      <Primitive.Root open={open} onOpenChange={change}>
        <Primitive.Trigger
          asChild
          ref={trigger}
          onPointerMove={openSoonAfter}
          onClick={(event) => {
            // Touch has no hover, so a click opens the tooltip; the primitive would close it.
            event.preventDefault()
            setOpen(true)
          }}
        >
          {children}
        </Primitive.Trigger>
        {/* Inside the main landmark, so that screen readers reach it. */}
        <Primitive.Portal container={document.querySelector('main')}>
          <Primitive.Content
            sideOffset={6}
            collisionPadding={12}
            className="z-50 max-w-[min(var(--container-tip),calc(100vw-1.5rem))] animate-fade-in rounded-chip border border-line-strong bg-sheet px-3 py-2 text-sm text-ink"
          >
            {content}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
