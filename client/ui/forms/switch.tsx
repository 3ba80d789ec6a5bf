import { type ReactNode, useId, useState } from 'react'
import { useDisabled } from '#client/ui/buttons/button.tsx'

type SwitchProps = {
  label: string
  hint: ReactNode
  checked: boolean
  disabled?: boolean
  /** Until it resolves, the switch is busy. */
  onCheckedChange: (checked: boolean) => Promise<unknown>
}

export function Switch(props: SwitchProps) {
  const { label, hint, checked, disabled = false, onCheckedChange } = props
  const id = useId()
  const [busy, setBusy] = useState(false)
  async function change() {
    setBusy(true)
    await onCheckedChange(!checked)
    setBusy(false)
  }
  const attributes = useDisabled(disabled || busy, { onClick: () => void change() })
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <div className="min-w-0 grow basis-40">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="mt-0.5 break-words text-sm text-muted">
          {hint}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        aria-describedby={`${id}-hint`}
        aria-busy={busy || undefined}
        className="group inline-flex h-11 shrink-0 items-center rounded-control off:cursor-not-allowed off:opacity-50"
        {...attributes}
      >
        <span className="inline-flex h-7 w-12 items-center rounded-full border border-line-strong bg-raised p-0.5 transition group-aria-checked:border-mint group-aria-checked:bg-mint">
          <span className="size-5 rounded-full bg-ink transition group-aria-checked:translate-x-5 group-aria-checked:bg-on-mint" />
        </span>
      </button>
    </div>
  )
}
