import { useFormikContext } from 'formik'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Lock from 'lucide-react/icons/lock'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { BrandHead } from '#client/layout/header/brand.tsx'
import {
  type CodeRefusal,
  EmailCodeField,
  SendCodeButton,
  useCountdown,
  useEarlierCode,
  WaitNote,
  waitText,
} from '#client/screens/auth/email-code.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { EmailField, NewPasswordFields } from '#client/ui/forms/form-field.tsx'
import { FocusOnMount, FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { forgotForm, resetForm } from '#contract/forms/sign-in'
import { OTP_RESEND_MS, OTP_VALID_MS, SECOND_MS } from '#rules/constants'
import { emailKey, normalizeEmail } from '#rules/members/usernames-and-emails'
import { type ResetOutcome, requestReset, resetPassword } from './password-commands.ts'

type ResetStep = 'forgot' | 'reset'

/** The last code that was sent: kept in the history, because phones unload a page in background. */
type SentCode = { resetEmail: string; resetSentAt: number }

/** The second step is locked until a code was sent. */
export function ResetPasswordScreen() {
  const { t } = useTranslation('auth')
  const [path, navigate] = useLocation()
  const state = useHistoryState<Partial<SentCode> | null>()
  const [openedAt] = useState(() => Date.now())
  const isOver = openedAt - (state?.resetSentAt ?? 0) > OTP_VALID_MS
  const { resetEmail: email = '', resetSentAt = 0 } = (!isOver && state) || {}
  const unlocked = email !== ''
  const [step, setStep] = useState<ResetStep>(unlocked ? 'reset' : 'forgot')
  // Counts the codes of the first step: each one resets the second step.
  const [round, setRound] = useState(0)

  function onSent(resetEmail: string) {
    const sent: SentCode = { resetEmail, resetSentAt: Date.now() }
    navigate(path, { replace: true, state: sent })
    setStep('reset')
  }

  function onFirstSent(address: string) {
    setRound((current) => current + 1)
    onSent(address)
  }

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
                  {!unlocked && <Lock className="size-3.5 shrink-0" />}
                  {t('reset.reset')}
                </span>
              </TabsTrigger>
            </TabsList>
            <TabsContent value="forgot" tabIndex={-1} className="pt-5">
              <ForgotForm email={email} onSent={onFirstSent} />
            </TabsContent>
            <TabsContent value="reset" isKept tabIndex={-1} className="pt-5">
              <ResetForm
                key={round}
                email={email}
                resendAt={resetSentAt + OTP_RESEND_MS}
                onSent={onSent}
              />
            </TabsContent>
          </Tabs>
        </Panel>
      </div>
      <Button
        variant="ghost"
        icon={ArrowLeft}
        className="mt-3 w-full"
        onClick={() => navigate('/auth', { replace: true })}
      >
        {t('reset.back')}
      </Button>
    </div>
  )
}

/** Pause between a reset and the redirect to /auth (Specification §9). */
const REDIRECT_MS = 2 * SECOND_MS

/** A code was sent to this address. */
type OnSent = (email: string) => void

function ForgotForm({ email, onSent }: { email: string; onSent: OnSent }) {
  const { t } = useTranslation('auth')
  const [refusal, setRefusal] = useState<CodeRefusal & { to: string }>({ to: '', message: '' })
  const wait = useCountdown(refusal.to)

  async function submit(values: { email: string }) {
    const outcome = await requestReset(values.email)
    if (outcome.state === 'waiting') {
      const to = keyOf(values.email)
      setRefusal({ to, ...outcome })
      wait.start(to, outcome.waitMs)
    }
    if (outcome.state === 'sent') onSent(values.email)
  }

  return (
    <FormikForm initialValues={{ email }} validationSchema={forgotForm} onSubmit={submit}>
      {({ values }) => {
        // Another address need not wait.
        const isWaiting = wait.seconds > 0 && keyOf(values.email) === refusal.to
        const note = <WaitNote {...refusal} left={wait.seconds} />
        return (
          <>
            <EmailField status={isWaiting ? { tone: 'doubt', text: note } : undefined} />
            <SubmitButton disabled={isWaiting}>
              {t('reset.send')}
              {isWaiting && (
                <span aria-hidden="true" className="figure text-sm">
                  {waitText(wait.seconds)}
                </span>
              )}
            </SubmitButton>
          </>
        )
      }}
    </FormikForm>
  )
}

const keyOf = (email: string) => emailKey(normalizeEmail(email))

type ResetValues = { email: string; otp: string; newPassword: string; confirmPassword: string }

type ResetFormProps = {
  email: string
  /** Real time, ms, from which another code may be requested. */
  resendAt: number
  onSent: OnSent
}

function ResetForm({ email, resendAt, onSent }: ResetFormProps) {
  const { t } = useTranslation('auth')
  const [, navigate] = useLocation()
  const [last, setLast] = useState<ResetOutcome>()
  const isDone = last?.done

  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => navigate('/auth', { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [isDone, navigate])

  async function submit(values: ResetValues) {
    const outcome = await resetPassword(values, last?.lost)
    setLast(outcome)
    return outcome
  }

  const blank = { email, otp: '', newPassword: '', confirmPassword: '' }
  return (
    <FormikForm initialValues={blank} validationSchema={resetForm} onSubmit={submit}>
      {/* The button that sent the request was removed with its tab and lost the focus. */}
      <FocusOnMount name="otp" ifLost />
      <EmailField autoComplete="username" />
      <ResetCodeField
        resendAt={resendAt}
        usedUp={last?.usedUp}
        onSent={(address) => {
          setLast(undefined)
          onSent(address)
        }}
      />
      <NewPasswordFields name="newPassword" />
      <SubmitButton {...(isDone && { busy: true })}>{t('reset.reset')}</SubmitButton>
    </FormikForm>
  )
}

type ResetCodeFieldProps = { resendAt: number; usedUp: boolean | undefined; onSent: OnSent }

function ResetCodeField({ resendAt, usedUp, onSent }: ResetCodeFieldProps) {
  const { t } = useTranslation('auth')
  const { values, setFieldTouched } = useFormikContext<ResetValues>()
  const clearEarlier = useEarlierCode()
  const wait = useCountdown('', resendAt)

  async function resend() {
    const earlier = values.otp
    const outcome = await requestReset(values.email)
    if (outcome.state === 'waiting') wait.start('', outcome.waitMs)
    if (outcome.state === 'sent') {
      wait.start('', OTP_RESEND_MS)
      if (await clearEarlier(earlier)) await setFieldTouched('otp', false, false)
      onSent(values.email)
    }
  }

  return (
    <EmailCodeField
      errorOnSubmit
      hint={t('otp.enterDigits')}
      actionBefore={
        <SendCodeButton sent waitSeconds={wait.seconds} urgent={usedUp} onPress={resend} />
      }
    />
  )
}
