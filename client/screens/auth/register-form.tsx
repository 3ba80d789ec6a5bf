import { Form, type FormikHelpers, type FormikProps, FormikProvider, useFormik } from 'formik'
import Check from 'lucide-react/icons/check'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, mayHaveWorked } from '#client/data/api.ts'
import { setUser } from '#client/data/member-data.ts'
import { apiText, i18n } from '#client/language/language.ts'
import { classNames } from '#client/ui/class-names.ts'
import type { FieldStatus } from '#client/ui/forms/field.tsx'
import { AS_TYPED, EmailField, FormField, NewPasswordFields } from '#client/ui/forms/form-field.tsx'
import { FocusFirstError, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import { type RegisterValues, registerForm } from '#contract/forms/sign-in'
import { USERNAME_MIN } from '#rules/constants'
import { normalizeEmail, normalizeUsername } from '#rules/members/usernames-and-emails'
import type { Availability, ReferralCodeCheck } from '#rules/snapshots'
import {
  type LiveCheck,
  referralCodeStatus,
  useLiveCheck,
  useReferralCodeCheck,
} from './live-check.ts'
import { SupportNote } from './login-form.tsx'
import { OtpField } from './otp-field.tsx'
import type { RegisterBody } from './refused-registration.ts'
import { useOtp } from './use-otp.ts'

export function RegisterForm({ referralCode }: { referralCode: string }) {
  const { t } = useTranslation('auth')
  const { formik, username, email, otp, canRegister } = useRegistration(referralCode)
  const referral = useReferralCodeCheck(formik.values.referralCode)
  const isLinkInvalid = useInvalidLink(referralCode, referral, formik)
  const isInvited = referralCode !== '' && !isLinkInvalid
  const isEmailWrong = formik.touched.email && formik.errors.email !== undefined
  const hints = [
    isTaken(username) && t('hints.username'),
    (isTaken(email) || isEmailWrong) && t('hints.email'),
    !otp.verified && t('hints.otp'),
  ]

  // Browsers ignore Enter while the submit button is disabled, so the errors would stay hidden.
  function submitOnEnter(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || canRegister) return
    // This Enter ends the composition of an input method; Safari says so by the key code only.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    if (!formik.isSubmitting) void formik.submitForm()
  }

  return (
    <FormikProvider value={formik}>
      <Form
        noValidate
        onKeyDown={submitOnEnter}
        onBlur={() => keepNames(formik.values)}
        className="flex flex-col gap-2"
      >
        <FocusFirstError />
        {isLinkInvalid && !mayJoin(referral) && <SupportNote text={t('invitation.invalid')} />}
        {isInvited && <Invitation check={referral} />}
        <Step
          number={1}
          title={t('steps.names')}
          isDone={isAvailable(username) && isAvailable(email)}
        >
          <FormField
            name="username"
            label={t('username')}
            autoComplete="username"
            hint={t('usernameHint')}
            status={availabilityStatus(username, t('usernameCheckFailed'))}
            {...AS_TYPED}
          />
          <EmailField
            hint={t('emailHint')}
            status={availabilityStatus(email, t('emailCheckFailed'))}
          />
        </Step>
        <Step number={2} title={t('steps.code')} isDone={otp.verified}>
          <OtpField otp={otp} canSend={isAvailable(email)} />
        </Step>
        <Step number={3} title={t('steps.password')} isDone={hasPassword(formik)}>
          <NewPasswordFields name="password" />
        </Step>
        <FormField
          name="referralCode"
          label={t('referralCode')}
          labelEnd={<span className="text-xs text-muted">{t('optional')}</span>}
          autoComplete="off"
          inputClassName="font-mono"
          status={referralCodeStatus(referral)}
          {...AS_TYPED}
        />
        {!isInvited && mayJoin(referral) && <Invitation check={referral} />}
        <SubmitButton
          disabled={!canRegister}
          aria-describedby="register-hints"
          className="mt-1 w-full"
        >
          {t('register')}
        </SubmitButton>
        <ul
          id="register-hints"
          aria-live="polite"
          className="min-h-5 pt-1 text-center text-xs text-muted"
        >
          {hints.map((hint) => hint && <li key={hint}>{hint}</li>)}
        </ul>
      </Form>
    </FormikProvider>
  )
}

type StepProps = { number: number; title: string; isDone: boolean; children: ReactNode }

function Step({ number, title, isDone, children }: StepProps) {
  const { t } = useTranslation('auth')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-b border-line pb-2">
      <legend className="flex items-center gap-2.5 pt-1 pb-3">
        <span
          className={classNames(
            'figure inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-xs',
            isDone ? 'border-mint bg-mint text-on-mint' : 'border-mint-line text-mint',
          )}
        >
          {isDone ? <Check className="size-3.5" strokeWidth={3} /> : number}
        </span>
        <h2 className="text-base">{title}</h2>
        {isDone && <span className="sr-only">{t('steps.done')}</span>}
      </legend>
      {children}
    </fieldset>
  )
}

type Values = Required<{ [K in keyof RegisterValues]: string }>

type Names = Pick<Values, 'username' | 'email' | 'referralCode'>

/** Keeps them in the history, because phones unload a page in background. */
function keepNames({ username, email, referralCode }: Names): void {
  const isTyped = username || email || referralCode
  const names: Names | undefined = isTyped ? { username, email, referralCode } : undefined
  window.history.replaceState({ ...window.history.state, names }, '')
}

export const keptNames = () => (window.history.state as { names?: Names } | null)?.names

function useRegistration(referralCode: string) {
  const [kept] = useState(keptNames)
  const formik = useFormik<Values>({
    initialValues: {
      username: '',
      email: '',
      referralCode,
      ...kept,
      otp: '',
      password: '',
      confirmPassword: '',
    },
    validationSchema: registerForm,
    onSubmit: submit,
  })
  const name = normalizeUsername(formik.values.username)
  const address = normalizeEmail(formik.values.email)
  // From 3 characters on, and only values with an @ (Specification §5).
  const isLongEnough = [...name].length >= USERNAME_MIN
  const username = useLiveCheck('username', isLongEnough ? name : null, checkUsername)
  const email = useLiveCheck('email', address.includes('@') ? address : null, checkEmail)
  const otp = useOtp(formik.values.email)
  const namesFree = isAvailable(username) && isAvailable(email)
  /** The registration that got no answer. */
  const lost = useRef<RegisterBody>(undefined)

  async function submit(values: Values, { setErrors }: FormikHelpers<Values>) {
    if (!namesFree) return
    if (!otp.verified && !(await otp.verify(values.otp, true))) return
    const body = {
      username: normalizeUsername(values.username),
      email: normalizeEmail(values.email),
      password: values.password,
      referralCode: values.referralCode.trim() || undefined,
    }
    try {
      const user = await call('POST /api/register', { body }).catch(async (error) => {
        if (mayHaveWorked(error)) {
          lost.current = body
          throw error
        }
        const refused = await import('./refused-registration.ts')
        const { clearVerified } = otp
        return refused.settle(error, { body, lost: lost.current, setErrors, clearVerified })
      })
      setUser(user)
      toast({ title: i18n.t('auth:registerDone'), description: i18n.t('auth:registerDoneText') })
    } catch (error) {
      showFailure(i18n.t('auth:registerFailed'), error, i18n.t('unreachable'))
    }
  }

  return { formik, username, email, otp, canRegister: namesFree && otp.verified }
}

const hasPassword = ({ values, errors }: FormikProps<Values>) =>
  values.password !== '' && !errors.password && !errors.confirmPassword

/** A code that could not be checked is sent, and may be valid. */
const mayJoin = ({ state, answer }: LiveCheck<ReferralCodeCheck>) =>
  state === 'failed' || answer?.valid === true

const checkUsername = (username: string) =>
  call('GET /api/check/username/:username', { params: { username } })
const checkEmail = (email: string) => call('GET /api/check/email/:email', { params: { email } })

const isAvailable = ({ answer }: LiveCheck<Availability>) => answer?.available === true
const isTaken = ({ answer }: LiveCheck<Availability>) => answer?.available === false

function availabilityStatus(
  check: LiveCheck<Availability>,
  failure: string,
): FieldStatus | undefined {
  if (check.state === 'checking') return { tone: 'busy', text: i18n.t('checking') }
  if (check.state === 'failed') return { tone: 'doubt', text: failure }
  if (!check.answer) return undefined
  return { tone: check.answer.available ? 'good' : 'bad', text: apiText(check.answer.message) }
}

/** Clears the invalid code of a link once, because the form says that it can be sent without a code. */
function useInvalidLink(
  referralCode: string,
  check: LiveCheck<ReferralCodeCheck>,
  { values, setFieldValue }: FormikProps<Values>,
): boolean {
  const [isInvalid, setInvalid] = useState(false)
  const isOfLink = referralCode !== '' && values.referralCode === referralCode
  const isFound = isOfLink && check.answer?.valid === false
  useEffect(() => {
    if (isInvalid || !isFound) return
    setInvalid(true)
    void setFieldValue('referralCode', '')
  }, [isInvalid, isFound, setFieldValue])
  return isInvalid || isFound
}

function Invitation({ check }: { check: LiveCheck<ReferralCodeCheck> }) {
  const { t } = useTranslation('auth')
  if (check.state === 'checking') return <Skeleton className="mb-2 h-20 rounded-control" />
  if (!mayJoin(check)) return null
  const name = check.answer?.inviter
  return (
    <div className="mb-2 rounded-control border border-mint-line bg-mint-soft px-3.5 py-3 wrap-anywhere">
      {name && <p className="pb-0.5 font-semibold">{t('invitation.title', { name })}</p>}
      <p className="text-sm text-muted">
        {t('invitation.sees', { name: name ?? t('invitation.owner') })}
      </p>
    </div>
  )
}
