import { Tooltip as Primitive } from 'radix-ui'
import { type ReactElement, type ReactNode, useState } from 'react'

const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

/** Sets the delays of all tooltips (Specification §9); mounted once around the app. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={OPEN_DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Primitive.Provider>
  )
}

export type TooltipProps = {
  content: ReactNode
  /** One focusable element that takes a ref: a button or a link. */
  children: ReactElement
  side?: 'top' | 'right' | 'bottom' | 'left'
}

export function Tooltip({ content, children, side = 'top' }: TooltipProps) {
  const [open, setOpen] = useState(false)
  return (
    <Primitive.Root open={open} onOpenChange={setOpen}>
      <Primitive.Trigger
        asChild
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
          side={side}
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-w-tip animate-fade-in rounded-chip border border-line-strong bg-sheet px-3 py-2 text-sm text-ink"
        >
          {content}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
