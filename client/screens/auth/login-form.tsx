import { type FormikHelpers, useFormikContext } from 'formik'
import { useAtomValue } from 'jotai'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { type ReactNode, type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { AdoptFormInput } from '#client/first-load/adopt-form-input.tsx'
import { SupportLink } from '#client/layout/service-link.tsx'
import { canUsePasskeys } from '#client/sign-in/can-use-passkeys.ts'
import { canOfferPasskeys, stopOffer } from '#client/sign-in/passkey-device.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { handOverFocus } from '#client/ui/focus-main.ts'
import { Checkbox } from '#client/ui/forms/checkbox.tsx'
import {
  AS_TYPED,
  FormField,
  FormPasswordField,
  OneTimeCodeField,
} from '#client/ui/forms/form-field.tsx'
import { FocusOnMount, FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { factorCodeForm, withoutBlanks } from '#contract/forms/fields'
import { loginForm } from '#contract/forms/sign-in'
import { PASSKEY_CHALLENGE_MS } from '#rules/constants'
import { EmailCodeField } from './email-code.tsx'
import { enterCode, frozenAtom, logIn, logInWithPasskey } from './login.ts'

const blank = { identifier: '', password: '', rememberMe: false, otp: '' }

type Values = typeof blank

export type LoginStep = 'password' | 'mail code' | 'app code'

/** Keeps the input while the registration is shown. */
type Typed = RefObject<Pick<Values, 'identifier' | 'rememberMe'>>

type LoginFormProps = {
  step: LoginStep
  onStep: (step: LoginStep) => void
  typed: Typed
  children: ReactNode
}

export function LoginForm({ step, onStep, typed, children }: LoginFormProps) {
  const { t } = useTranslation('auth')
  const frozen = useAtomValue(frozenAtom)
  if (step === 'app code') return <AppCodeForm onBack={() => onStep('password')} />

  async function submit(values: Values, { setFieldValue }: FormikHelpers<Values>) {
    const { identifier, otp, ...rest } = values
    const code = withoutBlanks(otp)
    const body = { ...rest, identifier: identifier.trim(), ...(code && { otp: code }) }
    const rejection = await logIn(body)
    if (rejection === 'second_factor_required') onStep('app code')
    if (rejection === 'otp_required') onStep('mail code')
    // The reason of a frozen account is shown in the first step.
    const isFrozen = rejection === 'account_frozen'
    if (rejection === 'wrong_credentials' || isFrozen) onStep('password')
    // An empty field: the next login requests a new code.
    if (rejection === 'otp_used_up' || isFrozen) await setFieldValue('otp', '')
  }

  async function back({ setFieldValue }: FormikHelpers<Values>) {
    await setFieldValue('otp', '')
    onStep('password')
  }

  return (
    // `dialog`: submitted before its code is loaded, the form must not put a password into the URL.
    <FormikForm
      initialValues={{ ...blank, ...typed.current }}
      validationSchema={loginForm}
      onSubmit={submit}
      method="dialog"
    >
      {(form) =>
        step === 'mail code' ? (
          <SecondStep text={t('secondStep.mailText')} onBack={() => void back(form)}>
            {/* A login needs this code while strangers try passwords of the account. */}
            <EmailCodeField hint={t('otp.leaveEmpty')} />
            <FocusOnMount name="otp" />
            <SubmitButton>{t('login')}</SubmitButton>
          </SecondStep>
        ) : (
          <>
            <AdoptFormInput />
            <FormField
              name="identifier"
              label={t('identifier')}
              autoComplete="username webauthn"
              {...AS_TYPED}
            />
            <FormPasswordField name="password" autoComplete="current-password" />
            <div className="flex flex-wrap items-center justify-between gap-x-3">
              <Checkbox
                name="rememberMe"
                label={t('rememberMe')}
                checked={form.values.rememberMe}
                onCheckedChange={(checked) => void form.setFieldValue('rememberMe', checked)}
              />
              <Link
                href="/reset-password"
                className="rounded-chip py-3 text-sm text-muted underline decoration-line-strong underline-offset-4 transition hover:text-ink"
              >
                {t('forgotPassword')}
              </Link>
            </div>
            {frozen !== null && <SupportNote text={frozen} />}
            <SubmitButton>{t('login')}</SubmitButton>
            {children}
            <PasskeyButton typed={typed} />
          </>
        )
      }
    </FormikForm>
  )
}

/** For what the member cannot mend. */
export function SupportNote({ text }: { text: string }) {
  return (
    <div className="mb-2 rounded-control border border-amber-line bg-amber-soft px-3.5 py-3 text-sm wrap-anywhere text-amber">
      <p>{text}</p>
      <SupportLink />
    </div>
  )
}

type SecondStepProps = { text: string; onBack: () => void; children: ReactNode }

function SecondStep({ text, onBack, children }: SecondStepProps) {
  const { t } = useTranslation('auth')
  return (
    <div ref={handOverFocus} className="flex flex-col gap-2">
      <h2 className="text-base">{t('secondStep.title')}</h2>
      <p className="pb-2 text-sm text-muted">{text}</p>
      {children}
      <Button variant="ghost" className="w-full" onClick={onBack}>
        {t('secondStep.back')}
      </Button>
    </div>
  )
}

/** Rejections after which only a login from the beginning helps. */
const LOST_STEP_CODES = ['second_step_expired', 'second_factor_off', 'account_frozen']

function AppCodeForm({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation(['auth', 'common'])

  async function submit(
    { code }: { code: string },
    { setFieldValue }: FormikHelpers<{ code: string }>,
  ) {
    const rejection = await enterCode(code.trim())
    if (rejection && LOST_STEP_CODES.includes(rejection)) onBack()
    else if (rejection === 'second_factor_invalid') await setFieldValue('code', '', false)
  }

  return (
    <FormikForm initialValues={{ code: '' }} validationSchema={factorCodeForm} onSubmit={submit}>
      <SecondStep text={t('secondStep.text')} onBack={onBack}>
        <OneTimeCodeField
          name="code"
          label={t('common:code')}
          hint={t('secondStep.hint')}
          errorOnSubmit
        />
        <FocusOnMount name="code" />
        <SubmitButton>{t('login')}</SubmitButton>
      </SecondStep>
    </FormikForm>
  )
}

/** The list of the field gets a new challenge before the old one expires. */
const RENEW_CHALLENGE_MS = PASSKEY_CHALLENGE_MS * 0.8
/** How often the age of the challenge is checked, real ms. */
const LOOK_MS = 10_000

const noChanges = () => () => {}

/** Passkeys by a button, and in the list of the user name field while the form is shown. */
function PasskeyButton({ typed }: { typed: Typed }) {
  const { t } = useTranslation('auth')
  const { values, isSubmitting } = useFormikContext<Values>()
  // The prerendered page shows the button; `main.tsx` hides it in a browser without passkeys.
  const canUse = useSyncExternalStore(noChanges, canUsePasskeys, () => true)
  const [busy, setBusy] = useState(false)
  typed.current = { identifier: values.identifier, rememberMe: values.rememberMe }
  const rememberMe = () => typed.current.rememberMe

  // biome-ignore lint/correctness/useExhaustiveDependencies: `rememberMe` reads a ref.
  useEffect(() => {
    // The button's dialog replaces the list. An answer with a challenge may set the first cookie of this browser,
    // which must not overwrite that of a sign-in.
    if (busy || isSubmitting || !canUse) return
    const stop = new AbortController()
    let offeredAt = Number.NEGATIVE_INFINITY
    const offer = async () => {
      if (document.hidden || Math.abs(Date.now() - offeredAt) < RENEW_CHALLENGE_MS) return
      // The wall clock: like the lifetime of a challenge, it goes on while a phone sleeps.
      offeredAt = Date.now()
      const isOffered = await canOfferPasskeys()
      if (stop.signal.aborted || !isOffered) return
      await logInWithPasskey({ inField: true, rememberMe, signal: stop.signal })
    }
    const renew = () => void offer()
    renew()
    const renewal = setInterval(renew, LOOK_MS)
    document.addEventListener('visibilitychange', renew)
    return () => {
      stop.abort()
      clearInterval(renewal)
      document.removeEventListener('visibilitychange', renew)
      void stopOffer()
    }
  }, [busy, isSubmitting, canUse])

  async function press() {
    setBusy(true)
    if (!(await logInWithPasskey({ inField: false, rememberMe }))) setBusy(false)
  }

  if (!canUse) return null
  return (
    <Button
      variant="secondary"
      size="large"
      busy={busy}
      className="w-full in-data-[passkeys=none]:hidden"
      onClick={press}
    >
      <Fingerprint className="size-5" />
      {t('passkey.login')}
    </Button>
  )
}
