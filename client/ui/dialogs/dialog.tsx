import X from 'lucide-react/icons/x'
import { Dialog as Primitive } from 'radix-ui'
import {
  type ReactElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Button, type ButtonProps } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'

type DialogProps = {
  title: string
  /** Screen readers announce it with the title. */
  description?: ReactNode
  /** The button that opens the dialog, which then needs no `open`. */
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Asked before Escape, Back, Close or a press outside closes it; false keeps it open. */
  mayClose?: () => boolean
  /** Focuses the dialog instead of its first field, so that its text is read first. */
  readFirst?: boolean
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** What takes the focus of a dialog that opens: its first field, or its first button without one. */
function firstControl(body: HTMLElement | null): HTMLElement | undefined {
  const controls = body?.querySelectorAll<HTMLElement>('input, select, textarea, button, a[href]')
  return [...(controls ?? [])].find((one) => !one.hidden && !one.matches(':disabled'))
}

type CloseWatcher = EventTarget & { destroy: () => void }

/** Back on Android closes the dialog. Chromium's watcher reports Escape too, which belongs to the topmost layer. */
function useBack(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher }
    if (!isOpen || !CloseWatcher) return
    let watcher: CloseWatcher
    function watch(Watcher: new () => CloseWatcher) {
      watcher = new Watcher()
      watcher.addEventListener('close', () => {
        // It has ended, but the dialog may stay open.
        watch(Watcher)
        onBack()
      })
    }
    const keepEscape = (event: KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    watch(CloseWatcher)
    window.addEventListener('keydown', keepEscape)
    return () => {
      watcher.destroy()
      window.removeEventListener('keydown', keepEscape)
    }
  }, [isOpen])
}

export function Dialog({
  title,
  description,
  trigger,
  open,
  onOpenChange,
  mayClose,
  readFirst = false,
  children,
}: DialogProps) {
  const { t } = useTranslation()
  const opener = useRef<Element>(null)
  const body = useRef<HTMLDivElement>(null)
  // Mounted at its first opening: a closed dialog of the primitive renders a second time on its mount.
  const [wasOpened, setWasOpened] = useState(false)
  const [own, setOwn] = useState(false)
  const isOpen = open ?? own
  if (isOpen && !wasOpened) setWasOpened(true)
  function change(next: boolean) {
    setOwn(next)
    onOpenChange?.(next)
  }
  const request = (next: boolean) => (next || mayClose?.() !== false) && change(next)
  useBack(isOpen, () => request(false))
  return (
    <Primitive.Root open={isOpen} onOpenChange={request}>
      {trigger && <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>}
      {wasOpened && (
        <Primitive.Portal>
          <Primitive.Overlay className="fixed inset-0 z-40 animate-fade-in bg-veil backdrop-blur-sm data-[state=closed]:animate-fade-out" />
          <Primitive.Content
            onOpenAutoFocus={(event) => {
              opener.current = document.activeElement
              const dialog = event.currentTarget as HTMLElement
              event.preventDefault()
              // Without a control in it, Close would take the focus, and its ring the attention.
              const target = readFirst ? dialog : (firstControl(body.current) ?? dialog)
              target.focus()
            }}
            onCloseAutoFocus={(event) => {
              const back = opener.current
              if (!(back instanceof HTMLElement)) return
              // With a trigger the primitive returns the focus to it, unless it has gone.
              if (trigger && back.isConnected) return
              event.preventDefault()
              const next = back.isConnected ? back : document.getElementById('main')
              next?.focus({ preventScroll: !back.isConnected })
            }}
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={classNames(
              // Centred on the column, which keeps its place while an open dialog removes the scrollbar.
              'fixed right-[calc(var(--spacing-beside)+var(--removed-body-scroll-bar-size,0px))] left-beside top-1/2 z-40 mx-auto max-h-[calc(100dvh-2rem)] max-w-form -translate-y-1/2 animate-rise overflow-y-auto @container',
              'rounded-panel border border-line bg-sheet p-panel focus:outline-none data-[state=closed]:animate-fade-out',
            )}
          >
            {/* Stays in sight, with Close, while a long dialog scrolls; the offset undoes the padding. */}
            <div className="sticky -top-panel z-10 -mx-panel -mt-panel -mb-1 bg-sheet px-panel pt-panel pb-1">
              {/* Large text on a small phone leaves no room beside Close. */}
              <Primitive.Title className="pr-10 text-title @max-[12rem]:pt-9 @max-[12rem]:pr-0">
                {title}
              </Primitive.Title>
              <Primitive.Close
                aria-label={t('close')}
                className="absolute top-3 right-3 inline-flex size-11 items-center justify-center rounded-control text-muted transition hover:bg-raised hover:text-ink"
              >
                <X className="size-5" />
              </Primitive.Close>
            </div>
            {description && (
              <Primitive.Description className="mt-1 text-sm text-muted">
                {description}
              </Primitive.Description>
            )}
            <div ref={body} className="mt-4">
              {typeof children === 'function' ? children(() => change(false)) : children}
            </div>
          </Primitive.Content>
        </Primitive.Portal>
      )}
    </Primitive.Root>
  )
}

export type ButtonDialogProps = Pick<
  DialogProps,
  'description' | 'onOpenChange' | 'mayClose' | 'readFirst' | 'children'
> &
  Pick<ButtonProps, 'variant' | 'size' | 'icon' | 'disabled' | 'className' | 'aria-label'> & {
    /** Label of the button, and title of the dialog unless it has its own. */
    label: string
    title?: string
  }

export function ButtonDialog(props: ButtonDialogProps) {
  const { label, title = label, description, onOpenChange, mayClose, readFirst, ...rest } = props
  const { children, ...button } = rest
  const text = button.size === 'icon' ? { 'aria-label': label } : { children: label }
  return (
    <Dialog
      {...{ title, description, onOpenChange, mayClose, readFirst }}
      trigger={<Button variant="secondary" {...button} {...text} />}
    >
      {children}
    </Dialog>
  )
}
