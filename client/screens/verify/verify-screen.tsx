import { FileCheck2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { FileButton } from '#client/ui/file-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { CheckList } from './check-list.tsx'
import { useReceipt } from './use-receipt.ts'

/** Checks a receipt of the ledger in the browser; works signed out and without a network. */
export function VerifyScreen() {
  const { t } = useTranslation('verify')
  const { hash, chosen, choose, trust } = useReceipt()
  return (
    <div className="mx-auto max-w-form">
      <Panel>
        <h1 className="text-xl">{t('title')}</h1>
        <p className="mt-2 text-sm text-muted">{t('intro')}</p>
        <div className="mt-5">
          <Field
            label={t('hash')}
            hint={t('hashHint')}
            value={hash}
            onChange={({ currentTarget }) => trust(currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <FileButton
          label={t('choose')}
          accept="application/json,.json"
          className="mt-4 w-full"
          onFile={choose}
        >
          <FileCheck2 aria-hidden="true" className="size-4" />
        </FileButton>
        <div aria-live="polite" className="mt-5">
          {chosen === null && <p className="text-coral text-sm">{t('notReceipt')}</p>}
          {chosen && <CheckList {...chosen} />}
        </div>
      </Panel>
      <Button variant="ghost" asChild className="mt-3 w-full">
        <Link href="/">{t('back')}</Link>
      </Button>
    </div>
  )
}
