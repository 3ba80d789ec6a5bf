import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '#client/ui/class-names.ts'
import { Spinner } from '#client/ui/loading.tsx'

/** The note under a field; `doubt` is a check that failed, `quiet` plain information. */
export type FieldStatus = { tone: 'busy' | 'good' | 'bad' | 'doubt' | 'quiet'; text: ReactNode }

export type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string
  hint?: string
  error?: string
  status?: FieldStatus
  trailing?: ReactNode
  action?: ReactNode
  /** Next to the field like `action`, but before it in the tab order. */
  actionBefore?: ReactNode
  labelEnd?: ReactNode
  inputClassName?: string
}

export const fieldLook = (isInvalid: boolean) =>
  classNames(
    'w-full rounded-control border bg-panel pl-3.5 text-base transition',
    'focus-visible:bg-raised focus-visible:outline-offset-0 disabled:text-muted',
    isInvalid ? 'border-coral' : 'border-line-strong hover:bg-raised',
  )

export function Field({
  label,
  hint,
  error,
  status,
  trailing,
  action,
  actionBefore,
  labelEnd,
  inputClassName,
  ...input
}: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const isInvalid = Boolean(error) || status?.tone === 'bad'
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3 pb-1.5">
        <label htmlFor={id} className="text-sm font-medium only:min-w-0 only:wrap-anywhere">
          {label}
        </label>
        {labelEnd}
      </div>
      {/* Buttons move below the input where it would be too narrow to read. */}
      <div className="flex flex-wrap gap-2">
        {actionBefore && <div className="order-last flex shrink-0">{actionBefore}</div>}
        <div className="relative min-w-0 grow basis-32">
          <input
            id={id}
            aria-invalid={isInvalid || undefined}
            aria-describedby={noteId}
            className={classNames(
              fieldLook(isInvalid),
              'h-12 text-ink placeholder:text-muted read-only:text-muted',
              trailing ? 'pr-12' : 'pr-3.5',
              inputClassName,
            )}
            {...input}
          />
          {trailing && (
            <div className="absolute inset-y-0 right-0.5 flex items-center">{trailing}</div>
          )}
        </div>
        {action}
      </div>
      <FieldNote id={noteId} error={error} status={status} hint={hint} />
    </div>
  )
}

const noteTones = {
  busy: 'text-muted',
  good: 'text-mint',
  bad: 'text-coral',
  doubt: 'text-amber',
  quiet: 'text-muted',
}

type FieldNoteProps = Pick<FieldProps, 'error' | 'status' | 'hint'> & { id?: string }

/** Reserves one line, so that the layout does not shift when a note appears. */
export function FieldNote({ id, error, status, hint = '' }: FieldNoteProps) {
  const { tone, text }: FieldStatus = error
    ? { tone: 'bad', text: error }
    : (status ?? { tone: 'quiet', text: hint })
  return (
    <p
      id={id}
      aria-live="polite"
      className={classNames('flex min-h-6 items-start gap-1.5 pt-1.5 text-xs', noteTones[tone])}
    >
      {tone === 'busy' && <Spinner className="size-3.5" />}
      {tone === 'good' && <Check className="mt-px size-3.5 shrink-0" />}
      {tone === 'bad' && <CircleAlert className="mt-px size-3.5 shrink-0" />}
      <span>{text}</span>
    </p>
  )
}
