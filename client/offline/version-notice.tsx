import { useAtomValue } from 'jotai'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutdatedAtom, rereadOldAppInfo } from '#client/data/app-info.ts'
import { onResume } from '#client/live/page-resume.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { isUpdateReadyAtom, takeUpdate } from './register-worker.ts'

export function VersionNotice() {
  const { t } = useTranslation()
  const outdated = useAtomValue(isOutdatedAtom)
  const ready = useAtomValue(isUpdateReadyAtom)
  useEffect(() => onResume(rereadOldAppInfo), [])
  return (
    // Rendered even when empty, so that screen readers announce its content when it appears.
    <div role="status">
      {(outdated || ready) && (
        <div className="border-b border-line bg-sheet pt-[env(safe-area-inset-top)]">
          <div className="mx-auto flex min-h-14 max-w-column flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
            <RefreshCw className="size-4 shrink-0 text-mint" />
            <p className="grow basis-28 text-sm">{t('newVersion')}</p>
            <Button variant="secondary" onClick={reloadPage}>
              {t('reload')}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

async function reloadPage(): Promise<void> {
  await takeUpdate()
  window.location.reload()
}
