import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { CopyButton } from '#client/ui/buttons/copy-button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { OneTimeCodeField } from '#client/ui/forms/form-field.tsx'
import type { FormOutcome } from '#client/ui/forms/formik-form.tsx'
import { saveFile } from '#client/ui/save-file.ts'
import { passwordAndCodeBody } from '#contract/forms/password-confirmed'
import { renewCodes } from './factor-commands.ts'

export type UnsavedCodes = ReturnType<typeof useUnsavedCodes>

/** State of the history entry that Back removes, instead of the screen, while codes are shown. */
const ENTRY = 'recovery codes'

function enter(): void {
  if (window.history.state !== ENTRY) window.history.pushState(ENTRY, '')
}

/**
 * Asks once before recovery codes that were neither copied nor downloaded are closed, also by Back, and holds back a
 * reload or a pressed notification. The dialog stays open while the codes are requested, but Back leaves it in
 * browsers without CloseWatcher.
 */
export function useUnsavedCodes() {
  // Event handlers read it before the next render.
  const state = useRef<'saved' | 'requested' | 'unsaved' | 'asking'>('saved')
  const [isAsking, setAsking] = useState(false)
  function change(next: typeof state.current) {
    state.current = next
    setAsking(next === 'asking')
  }
  function mayClose() {
    if (state.current === 'unsaved') change('asking')
    else return state.current !== 'requested'
    return false
  }
  function onUnload(event: Event) {
    if (state.current === 'saved') return
    event.preventDefault()
    if (state.current === 'unsaved') change('asking')
  }
  return {
    isAsking,
    mayClose,
    saved: () => change('saved'),
    /** The answer replaces the codes that the member has, so it must be shown. */
    async requested(request: Promise<FormOutcome>): Promise<FormOutcome> {
      change('requested')
      window.addEventListener('beforeunload', onUnload)
      const outcome = await request
      window.removeEventListener('beforeunload', onUnload)
      if (!outcome.done) change('saved')
      return outcome
    },
    /** Guards the codes on the screen until the returned function is called. */
    watch(close: () => void) {
      const onBack = () => (mayClose() ? close() : enter())
      change('unsaved')
      enter()
      window.addEventListener('popstate', onBack)
      window.addEventListener('beforeunload', onUnload)
      return () => {
        window.removeEventListener('popstate', onBack)
        window.removeEventListener('beforeunload', onUnload)
        change('saved')
        // In development React mounts twice: the codes are then unsaved again.
        queueMicrotask(() => {
          if (state.current === 'saved' && window.history.state === ENTRY) window.history.back()
        })
      }
    },
  }
}

const FILE = 'tesp-network-recovery-codes.txt'

type RecoveryCodesProps = { codes: string[]; unsaved: UnsavedCodes; onClose: () => void }

export function RecoveryCodes({ codes, unsaved, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation('account')
  const watch = useRef(() => unsaved.watch(onClose))
  // Before the member can press a key.
  useLayoutEffect(() => watch.current(), [])
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
      <Button
        size="large"
        icon={Download}
        className="mt-3 w-full"
        onClick={() => {
          saveFile(FILE, text, 'text/plain')
          unsaved.saved()
        }}
      >
        {t('download')}
      </Button>
      <div className="mt-2 grid gap-2 sm:grid-cols-2">
        <CopyButton text={text} what={t('factors.recovery.title')} onCopied={unsaved.saved} />
        <Button variant="secondary" onClick={onClose}>
          {t('factors.recovery.saved')}
        </Button>
      </div>
      {unsaved.isAsking && (
        <div
          role="alert"
          ref={(note) => note?.scrollIntoView({ block: 'nearest' })}
          className="mt-4 scroll-mb-5 rounded-control border border-coral-line bg-coral-soft p-4 text-sm"
        >
          <p>{t('factors.recovery.unsaved')}</p>
          <Button variant="destructive" className="mt-3 w-full" onClick={onClose}>
            {t('factors.recovery.closeUnsaved')}
          </Button>
        </div>
      )}
    </>
  )
}

function RenewSteps({ unsaved, close }: { unsaved: UnsavedCodes; close: () => void }) {
  const { t } = useTranslation('account')
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) {
    return (
      <>
        <p className="mb-4 text-sm text-muted">{t('factors.app.step.codes')}</p>
        <RecoveryCodes codes={codes} unsaved={unsaved} onClose={close} />
      </>
    )
  }
  return (
    <PasswordForm
      initialValues={{ password: '', code: '' }}
      validationSchema={passwordAndCodeBody}
      submit={{ children: t('factors.recovery.renew') }}
      onSubmit={(body) => unsaved.requested(renewCodes(body, setCodes))}
    >
      <CodeField recovery />
    </PasswordForm>
  )
}

export function RenewDialog() {
  const { t } = useTranslation('account')
  const unsaved = useUnsavedCodes()
  return (
    <ButtonDialog
      label={t('factors.recovery.renew')}
      description={t('factors.recovery.renewText')}
      icon={RefreshCw}
      mayClose={unsaved.mayClose}
    >
      {(close) => <RenewSteps unsaved={unsaved} close={close} />}
    </ButtonDialog>
  )
}

export function CodeField({ recovery = false }: { recovery?: boolean }) {
  const { t } = useTranslation(['account', 'common'])
  return (
    <OneTimeCodeField
      name="code"
      label={t('common:code')}
      hint={t(recovery ? 'factors.app.codeOrRecovery' : 'factors.app.codeHint')}
      inputMode={recovery ? undefined : 'numeric'}
      errorOnSubmit
    />
  )
}
