import FileCheck2 from 'lucide-react/icons/file-check-corner'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Brand } from '#client/layout/header/brand.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Field } from '#client/ui/forms/field.tsx'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { CheckList } from './check-list.tsx'
import { useReceipt } from './use-receipt.ts'

/** Checks a receipt of the ledger in the browser; works signed out and without a network. */
export function VerifyScreen() {
  const { t } = useTranslation('verify')
  const { hash, chosen, choose, trust } = useReceipt()
  return (
    <div className="mx-auto flex max-w-form flex-col">
      <Link href="/" className="self-center rounded-chip py-1">
        <Brand />
      </Link>
      <Panel className="mt-6">
        <h1 className="text-lg">{t('title')}</h1>
        <p className="mt-2 text-sm text-pretty text-muted">{t('intro')}</p>
        <FileButton
          label={t('choose')}
          size="large"
          accept="application/json,.json"
          className="mt-5 w-full"
          onFile={choose}
        >
          <FileCheck2 aria-hidden="true" className="size-4" />
        </FileButton>
        <div aria-live="polite">
          {chosen === null && <p className="mt-5 text-coral text-sm">{t('notReceipt')}</p>}
          {chosen && <CheckList {...chosen} />}
        </div>
        <hr className="my-5 border-line" />
        <Field
          label={t('hash')}
          hint={t('hashHint')}
          value={hash}
          onChange={({ currentTarget }) => trust(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          inputClassName="font-mono"
        />
      </Panel>
      <Button variant="ghost" asChild className="mt-3 self-center">
        <Link href="/">{t('back')}</Link>
      </Button>
    </div>
  )
}
