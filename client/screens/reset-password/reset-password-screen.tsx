import ArrowLeft from 'lucide-react/icons/arrow-left'
import Lock from 'lucide-react/icons/lock'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { BrandHead } from '#client/layout/header/brand.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { ForgotForm } from './forgot-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { type ResetStep, useResetSteps } from './use-reset-steps.ts'

/** Sets a new password with a code sent to the e-mail address of the account. */
export function ResetPasswordScreen() {
  const { t } = useTranslation('auth')
  const [, navigate] = useLocation()
  const { step, setStep, unlocked, email, resendAt, onRequested, finish } = useResetSteps()
  return (
    <div className="mx-auto max-w-form">
      <BrandHead />
      <div className="mt-8 rounded-panel bg-card">
        <Panel className="max-sm:px-4">
          <Tabs value={step} onValueChange={(next) => setStep(next as ResetStep)}>
            <TabsList aria-label={t('reset.tabs')}>
              <TabsTrigger value="forgot">{t('reset.forgot')}</TabsTrigger>
              <TabsTrigger value="reset" disabled={!unlocked}>
                <span className="inline-flex items-center gap-2">
                  {!unlocked && <Lock aria-hidden="true" className="size-3.5 shrink-0" />}
                  {t('reset.reset')}
                </span>
              </TabsTrigger>
            </TabsList>
            <TabsContent value="forgot" tabIndex={-1} className="pt-5">
              <ForgotForm email={email} onOutcome={onRequested} />
            </TabsContent>
            <TabsContent value="reset" tabIndex={-1} className="pt-5">
              <ResetForm
                email={email}
                resendAt={resendAt}
                onRequested={onRequested}
                onDone={finish}
              />
            </TabsContent>
          </Tabs>
        </Panel>
      </div>
      <Button variant="ghost" className="mt-3 w-full" onClick={() => navigate('/auth')}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('reset.back')}
      </Button>
    </div>
  )
}
