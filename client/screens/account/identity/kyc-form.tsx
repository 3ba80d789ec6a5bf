import { useAtomValue } from 'jotai'
import ChevronDown from 'lucide-react/icons/chevron-down'
import FileText from 'lucide-react/icons/file-text'
import Upload from 'lucide-react/icons/upload'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { grouped } from '#client/format/amounts.ts'
import { classNames } from '#client/ui/class-names.ts'
import { FieldNote, fieldLook } from '#client/ui/forms/field.tsx'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { useFormProps } from '#client/ui/forms/form-field.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { Progress } from '#client/ui/progress.tsx'
import { DOCUMENT_TYPES, type DocumentType, kycForm } from '#contract/forms/document'
import {
  ACCEPTED_DOCUMENTS,
  documentProblem,
  documentProgressAtom,
  submitDocument,
} from './kyc-commands.ts'

type Values = { documentType: DocumentType | '' }

const blank: Values = { documentType: '' }

const sizeText = (bytes: number) =>
  bytes < 1_048_576
    ? `${Math.ceil(bytes / 1024)} KB`
    : `${grouped((Math.floor((bytes / 1_048_576) * 10) / 10).toFixed(1))} MB`

export function KycForm() {
  const { t } = useTranslation('account')
  const [chosen, setChosen] = useState<File>()
  const problem = chosen && documentProblem(chosen)
  const document = problem ? undefined : chosen
  const progress = useAtomValue(documentProgressAtom)
  const percent = progress === null ? null : Math.round(progress * 100)
  const sending = percent !== null

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
      <DocumentTypeSelect disabled={sending} />
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
              disabled={sending}
              icon={Upload}
              onFile={setChosen}
            />
          </div>
          {sending && (
            <div className="flex items-center gap-3">
              <Progress value={percent} label={t('kyc.upload')} valueText={`${percent}%`} />
              <span className="figure w-10 text-right text-xs text-muted">{percent}%</span>
            </div>
          )}
        </div>
        <FieldNote error={problem && t(`kyc.${problem}`)} />
      </fieldset>
      <SubmitButton busy={sending} disabled={document === undefined}>
        {t('kyc.submit')}
      </SubmitButton>
    </FormikForm>
  )
}

function DocumentTypeSelect({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation('account')
  const { error, ...field } = useFormProps('documentType')
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block pb-1.5 text-sm font-medium">
        {t('kyc.typeLabel')}
      </label>
      <div className="relative">
        <select
          id={id}
          disabled={disabled}
          aria-invalid={Boolean(error) || undefined}
          aria-describedby={`${id}-note`}
          className={classNames(
            fieldLook(Boolean(error)),
            // Large text takes two lines on a small phone.
            'min-h-12 appearance-none py-1 pr-10 whitespace-normal',
            field.value === '' && 'text-muted',
          )}
          {...field}
        >
          <option value="" disabled hidden>
            {t('kyc.selectType')}
          </option>
          {DOCUMENT_TYPES.map((type) => (
            // The list is drawn by the browser, where the see-through colour of the field is unreadable.
            <option key={type} value={type} className="bg-sheet text-ink">
              {t(`kyc.types.${type}`)}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute inset-y-0 right-3.5 my-auto size-4 text-muted" />
      </div>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  )
}
