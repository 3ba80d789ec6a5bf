import Download from 'lucide-react/icons/download'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { CopyButton } from '#client/ui/buttons/copy-button.tsx'
import { saveFile } from '#client/ui/save-file.ts'

const FILE = 'tesp-network-recovery-codes.txt'

/** Recovery codes, which are shown this once: to copy, to save, and the button that ends it. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation('account')
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <ul
        aria-label={t('factors.recovery.title')}
        className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-control border border-line bg-panel p-4 text-center font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 grid gap-2 sm:grid-cols-2">
        <CopyButton text={text} what={t('factors.recovery.title')} />
        <Button variant="secondary" onClick={() => saveFile(FILE, text, 'text/plain')}>
          <Download aria-hidden="true" className="size-4" />
          {t('factors.recovery.download')}
        </Button>
      </div>
      <Button size="large" className="mt-3 w-full" onClick={onClose}>
        {t('factors.recovery.saved')}
      </Button>
    </>
  )
}
