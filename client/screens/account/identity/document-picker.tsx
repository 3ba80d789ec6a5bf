import { useAtomValue } from 'jotai'
import { CircleAlert, FileText, Upload } from 'lucide-react'
import { FileButton } from '#client/ui/file-button.tsx'
import { Progress } from '#client/ui/progress.tsx'
import { ACCEPTED_DOCUMENTS, documentProgressAtom } from './kyc-commands.ts'

export type DocumentPickerProps = {
  document: File | null
  problem: string | undefined
  onDocument: (file: File) => void
}

const sizeText = (bytes: number) =>
  bytes < 1_048_576
    ? `${Math.ceil(bytes / 1024)} KB`
    : `${(Math.floor((bytes / 1_048_576) * 10) / 10).toFixed(1)} MB`

/** The document to submit, with the progress of its upload. */
export function DocumentPicker({ document, problem, onDocument }: DocumentPickerProps) {
  const progress = useAtomValue(documentProgressAtom)
  const percent = progress === null ? null : Math.round(progress * 100)
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 text-sm font-medium">Document</legend>
      <div className="flex flex-col gap-3 rounded-control border border-line-strong border-dashed bg-panel p-3.5">
        <div className="flex min-h-11 flex-wrap items-center gap-3 [&>p]:basis-32">
          <FileText aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
          <p className="min-w-0 grow text-sm">
            <span className={document ? 'line-clamp-2' : 'text-muted'}>
              {document?.name ?? 'JPG, PNG or PDF'}
            </span>
            <span className="block text-xs text-muted">
              {document ? sizeText(document.size) : 'At most 5 MB'}
            </span>
          </p>
          <FileButton
            label={document ? 'Change' : 'Choose File'}
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
            <Progress value={percent} label="Upload" valueText={`${percent}%`} />
            <span className="figure w-10 text-right text-xs text-muted">{percent}%</span>
          </div>
        )}
      </div>
      <p aria-live="polite" className="flex min-h-6 items-start gap-1.5 pt-1.5 text-xs text-coral">
        {problem && <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />}
        <span>{problem}</span>
      </p>
    </fieldset>
  )
}
