import { useAtomValue } from 'jotai'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import FileText from 'lucide-react/icons/file-text'
import Upload from 'lucide-react/icons/upload'
import { useTranslation } from 'react-i18next'
import { grouped } from '#client/format/amounts.ts'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { Progress } from '#client/ui/states/progress.tsx'
import { ACCEPTED_DOCUMENTS, type DocumentProblem, documentProgressAtom } from './kyc-commands.ts'

export type DocumentPickerProps = {
  document: File | null
  problem: DocumentProblem | undefined
  onDocument: (file: File) => void
}

const sizeText = (bytes: number) =>
  bytes < 1_048_576
    ? `${Math.ceil(bytes / 1024)} KB`
    : `${grouped((Math.floor((bytes / 1_048_576) * 10) / 10).toFixed(1))} MB`

/** The document to submit, with the progress of its upload. */
export function DocumentPicker({ document, problem, onDocument }: DocumentPickerProps) {
  const { t } = useTranslation('account')
  const progress = useAtomValue(documentProgressAtom)
  const percent = progress === null ? null : Math.round(progress * 100)
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 text-sm font-medium">{t('kyc.document')}</legend>
      <div className="flex flex-col gap-3 rounded-control border border-line-strong border-dashed bg-panel p-3.5">
        <div className="flex min-h-11 flex-wrap items-center gap-3 [&>p]:basis-32">
          <FileText aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
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
            onFile={onDocument}
          >
            <Upload aria-hidden="true" className="size-4" />
          </FileButton>
        </div>
        {percent !== null && (
          <div className="flex items-center gap-3">
            <Progress value={percent} label={t('kyc.upload')} valueText={`${percent}%`} />
            <span className="figure w-10 text-right text-xs text-muted">{percent}%</span>
          </div>
        )}
      </div>
      <p aria-live="polite" className="flex min-h-6 items-start gap-1.5 pt-1.5 text-xs text-coral">
        {problem && <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />}
        <span>{problem && t(`kyc.${problem}`)}</span>
      </p>
    </fieldset>
  )
}
