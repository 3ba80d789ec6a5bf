import { useAtomValue } from 'jotai'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import X from 'lucide-react/icons/x'
import { Toast as Primitive } from 'radix-ui'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { store } from '#client/data/query-cache.ts'
import { classNames } from '#client/ui/class-names.ts'
import { type Shown, toastAtom } from './toast.ts'
import { useToastPlace } from './toast-place.ts'

const DURATION_MS = 5_000
const SWIPE_THRESHOLD_PX = 50
const HOTKEY = ['F8']

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

export function Toaster() {
  const { t } = useTranslation()
  const shown = useAtomValue(toastAtom, { store })
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden)
  // On a hidden page the newest toast waits, with its time, until the member looks at it. The one before it stays
  // until then: Radix forgets to end its pause if no toast is left.
  const [seen, setSeen] = useState<Shown | null>(null)
  if (seen !== shown && (!isHidden || !shown || seen?.id === shown.id)) setSeen(shown)
  return (
    <Primitive.Provider
      label={t('toast.label')}
      duration={DURATION_MS}
      swipeDirection="right"
      swipeThreshold={SWIPE_THRESHOLD_PX}
    >
      {seen && <OneToast key={seen.id} shown={seen} />}
      <Primitive.Viewport
        hotkey={HOTKEY}
        label={t('toast.viewport')}
        // Radix announces toasts elsewhere. A live region is not hidden by an open dialog.
        aria-live="off"
        data-toasts=""
        className={classNames(
          '@container pointer-events-none fixed inset-x-0 z-50 mx-auto flex max-w-toast flex-col p-3',
          // Beside the column, where the screen has room for it; text that only the page enlarges may need more.
          'beside:inset-x-auto beside:bottom-0 beside:left-[min(50%-var(--removed-body-scroll-bar-size,0px)/2+var(--container-column)/2,100%-16rem)] beside:w-[clamp(16rem,50vw-var(--container-column)/2,var(--container-toast))]',
        )}
      />
    </Primitive.Provider>
  )
}

function OneToast({ shown }: { shown: Shown }) {
  const { t } = useTranslation()
  const place = useToastPlace()
  const isError = shown.variant === 'destructive'
  const Icon = isError ? CircleAlert : CircleCheck
  return (
    <Primitive.Root
      ref={place}
      type={isError ? 'foreground' : 'background'}
      open={shown.open}
      onOpenChange={(open) => {
        // Radix pauses while the pointer or the focus is on a toast, and forgets to go on if that closes.
        const region = document.querySelector('[data-toasts]')?.parentElement
        if (!open) region?.dispatchEvent(new FocusEvent('focusout'))
        if (store.get(toastAtom)?.id === shown.id) store.set(toastAtom, { ...shown, open })
      }}
      // An open dialog disables pointer events of the page and of older toasts; a toast stays clickable.
      style={{ pointerEvents: shown.open ? 'auto' : 'none' }}
      className={classNames(
        'flex items-start gap-3 rounded-panel border bg-sheet py-2 pr-2 pl-4',
        // Large text on a small phone has its own row below the icon and Close.
        '@max-[14rem]:flex-wrap @max-[14rem]:justify-between',
        'data-[state=open]:animate-rise data-[state=closed]:animate-slide-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
        isError ? 'border-coral-line' : 'border-line-strong',
      )}
    >
      <Icon className={classNames('mt-3 size-5 shrink-0', isError ? 'text-coral' : 'text-mint')} />
      <div className="min-w-0 grow py-3 @max-[14rem]:order-last @max-[14rem]:basis-full @max-[14rem]:pt-0 @max-[14rem]:pr-2">
        <Primitive.Title className="text-sm font-semibold">{shown.title}</Primitive.Title>
        {shown.description && (
          <Primitive.Description className="mt-0.5 text-sm text-muted">
            {shown.description}
          </Primitive.Description>
        )}
      </div>
      <Primitive.Close
        aria-label={t('dismiss')}
        // The title of a credit has one line at 390 px.
        className="-ml-2 inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted transition hover:bg-raised hover:text-ink"
      >
        <X className="size-4" />
      </Primitive.Close>
    </Primitive.Root>
  )
}
