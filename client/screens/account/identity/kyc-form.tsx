import { useAtomValue } from 'jotai'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import FileText from 'lucide-react/icons/file-text'
import Upload from 'lucide-react/icons/upload'
import { Select } from 'radix-ui'
import { useId, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { grouped } from '#client/format/amounts.ts'
import { apiText } from '#client/language/language.ts'
import { classNames } from '#client/ui/class-names.ts'
import { FieldNote } from '#client/ui/forms/field.tsx'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { Progress } from '#client/ui/progress.tsx'
import { DOCUMENT_TYPES, type DocumentType, kycForm } from '#contract/forms/document'
import {
  ACCEPTED_DOCUMENTS,
  type DocumentProblem,
  documentProblem,
  documentProgressAtom,
  submitDocument,
} from './kyc-commands.ts'

type Values = { documentType: DocumentType | '' }

const blank: Values = { documentType: '' }

export function KycForm() {
  const { t } = useTranslation('account')
  const [document, setDocument] = useState<File | null>(null)
  const [problem, setProblem] = useState<DocumentProblem>()
  const sending = useAtomValue(documentProgressAtom) !== null

  function take(file: File) {
    const found = documentProblem(file)
    setProblem(found)
    setDocument(found ? null : file)
  }

  async function submit({ documentType }: Values) {
    if (document && documentType) await submitDocument(documentType, document)
  }

  return (
    <FormikForm
      initialValues={blank}
      validationSchema={kycForm}
      onSubmit={submit}
      className="mt-5 flex flex-col gap-2"
    >
      {({ values, errors, touched, setFieldValue, setFieldTouched }) => (
        <>
          <DocumentTypeSelect
            value={values.documentType}
            error={touched.documentType ? apiText(errors.documentType) : undefined}
            disabled={sending}
            onChange={(type) => void setFieldValue('documentType', type)}
            onClose={() => void setFieldTouched('documentType')}
          />
          <DocumentPicker document={document} problem={problem} onDocument={take} />
          <SubmitButton busy={sending} disabled={document === null}>
            {t('kyc.submit')}
          </SubmitButton>
        </>
      )}
    </FormikForm>
  )
}

type DocumentPickerProps = {
  document: File | null
  problem: DocumentProblem | undefined
  onDocument: (file: File) => void
}

const sizeText = (bytes: number) =>
  bytes < 1_048_576
    ? `${Math.ceil(bytes / 1024)} KB`
    : `${grouped((Math.floor((bytes / 1_048_576) * 10) / 10).toFixed(1))} MB`

function DocumentPicker({ document, problem, onDocument }: DocumentPickerProps) {
  const { t } = useTranslation('account')
  const progress = useAtomValue(documentProgressAtom)
  const percent = progress === null ? null : Math.round(progress * 100)
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 text-sm font-medium">{t('kyc.document')}</legend>
      <div className="flex flex-col gap-3 rounded-control border border-line-strong border-dashed bg-panel p-3.5">
        <div className="flex min-h-11 flex-wrap items-center gap-3 [&>p]:basis-32">
          <FileText className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
          <p className="min-w-0 grow text-sm">
            <span className={document ? 'line-clamp-2' : 'text-muted'}>
              {document?.name ?? t('kyc.accepted')}
            </span>
            <span className="block text-xs text-muted">
              {document ? sizeText(document.size) : t('kyc.atMost')}
            </span>
          </p>
          <FileButton
            label={t(document ? 'kyc.change' : 'kyc.choose')}
            variant="secondary"
            accept={ACCEPTED_DOCUMENTS}
            disabled={percent !== null}
            icon={Upload}
            onFile={onDocument}
          />
        </div>
        {percent !== null && (
          <div className="flex items-center gap-3">
            <Progress value={percent} label={t('kyc.upload')} valueText={`${percent}%`} />
            <span className="figure w-10 text-right text-xs text-muted">{percent}%</span>
          </div>
        )}
      </div>
      <FieldNote error={problem && t(`kyc.${problem}`)} />
    </fieldset>
  )
}

/** A stored document type; undefined for an unknown one. */
export function documentType(stored: string | null): DocumentType | undefined {
  return DOCUMENT_TYPES.find((type) => type === stored)
}

type DocumentTypeSelectProps = {
  value: DocumentType | ''
  error: string | undefined
  disabled: boolean
  onChange: (type: DocumentType) => void
  onClose: () => void
}

function DocumentTypeSelect(props: DocumentTypeSelectProps) {
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
          <ChevronDown className="size-4 text-muted" />
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
                    <Check className="size-4 text-mint" />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  )
}

/** Elements that Radix hides from screen readers behind an open list. */
const HIDDEN = '[data-aria-hidden]:not([inert])'

/**
 * Makes the elements behind an open list inert, because an element hidden from screen readers must
 * not be focusable.
 */
export function useInertBehind(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return
    let hidden: Element[] = []
    // Radix hides the elements after the list is rendered.
    const frame = requestAnimationFrame(() => {
      hidden = [...document.querySelectorAll(HIDDEN)]
      for (const element of hidden) element.setAttribute('inert', '')
    })
    // Before the list is removed, because the focus then returns to the button that opened it.
    return () => {
      cancelAnimationFrame(frame)
      for (const element of hidden) element.removeAttribute('inert')
    }
  }, [open])
}
