import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { Select } from 'radix-ui'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '#client/ui/class-names.ts'
import { useInertBehind } from '#client/ui/dialogs/use-inert-behind.ts'
import { DOCUMENT_TYPES, type DocumentType } from '#contract/forms/document'

/** A stored document type; undefined for an unknown one. */
export function documentType(stored: string | null): DocumentType | undefined {
  return DOCUMENT_TYPES.find((type) => type === stored)
}

export type DocumentTypeSelectProps = {
  value: DocumentType | ''
  error: string | undefined
  disabled: boolean
  onChange: (type: DocumentType) => void
  onClose: () => void
}

export function DocumentTypeSelect(props: DocumentTypeSelectProps) {
  const { t } = useTranslation('account')
  const { value, error, disabled, onChange, onClose } = props
  const id = useId()
  const [open, setOpen] = useState(false)
  useInertBehind(open)
  return (
    <div>
      <label htmlFor={id} className="block pb-1.5 text-sm font-medium">
        {t('kyc.typeLabel')}
      </label>
      <Select.Root
        value={value}
        disabled={disabled}
        onValueChange={(next) => onChange(next as DocumentType)}
        onOpenChange={(opens) => {
          setOpen(opens)
          if (!opens) onClose()
        }}
      >
        <Select.Trigger
          id={id}
          aria-invalid={Boolean(error) || undefined}
          aria-describedby={`${id}-note`}
          className={classNames(
            'flex h-12 w-full items-center justify-between gap-2 rounded-control border bg-panel px-3.5 text-left text-base transition hover:bg-raised data-placeholder:text-muted disabled:text-muted',
            error ? 'border-coral' : 'border-line-strong',
          )}
        >
          <Select.Value placeholder={t('kyc.selectType')} />
          <ChevronDown aria-hidden="true" className="size-4 text-muted" />
        </Select.Trigger>
        {/* Inside the main landmark, so that screen readers reach it. */}
        <Select.Portal container={document.querySelector('main')}>
          <Select.Content
            position="popper"
            sideOffset={6}
            className="z-40 w-(--radix-select-trigger-width) animate-rise rounded-panel border border-line-strong bg-sheet p-1.5"
          >
            <Select.Viewport>
              {DOCUMENT_TYPES.map((type) => (
                <Select.Item
                  key={type}
                  value={type}
                  className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-chip px-3 text-sm select-none data-highlighted:bg-pressed data-highlighted:outline-none"
                >
                  <Select.ItemText>{t(`kyc.types.${type}`)}</Select.ItemText>
                  <Select.ItemIndicator>
                    <Check aria-hidden="true" className="size-4 text-mint" />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className="flex min-h-6 items-start gap-1.5 pt-1.5 text-xs text-coral"
      >
        {error && <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />}
        <span>{error}</span>
      </p>
    </div>
  )
}
