import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { BrandHead } from '#client/layout/header/brand.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { SECOND_STEP_MS } from '#rules/constants'
import { LoginForm, type LoginStep } from './login-form.tsx'
import { keptNames, RegisterForm } from './register-form.tsx'

const noChanges = () => () => {}
const areCookiesAllowed = () => navigator.cookieEnabled

/** A referral link opens the registration, and so does a page that was unloaded with input in it. */
export function AuthScreen() {
  const { t } = useTranslation('auth')
  const referralCode = new URLSearchParams(useSearch()).get('ref')?.trim() ?? ''
  const [tab, setTab] = useState(referralCode ? 'register' : 'login')
  const [step, showStep] = useState<LoginStep>('password')
  const typed = useRef({ identifier: '', rememberMe: false })
  const registerTab = useRef<HTMLButtonElement>(null)
  const isSecondStep = step !== 'password'
  const hasCookies = useSyncExternalStore(noChanges, areCookiesAllowed, () => true)
  // Not in the first render, which hydrates the page of the build.
  useLayoutEffect(() => {
    if (window.history.state?.appCodeUntil > Date.now()) {
      setTab('login')
      showStep('app code')
    } else if (keptNames() && window.history.state.tab !== 'login') setTab('register')
  }, [])
  function setStep(next: LoginStep) {
    // A phone unloads the page behind the app with the codes. The server waits for the code alone.
    const appCodeUntil = next === 'app code' ? Date.now() + SECOND_STEP_MS : undefined
    window.history.replaceState({ ...window.history.state, appCodeUntil }, '')
    showStep(next)
  }
  const open = (next: string) => {
    window.history.replaceState({ ...window.history.state, tab: next }, '')
    setTab(next)
  }
  return (
    <div className="mx-auto max-w-form">
      <BrandHead />
      {!isSecondStep && <Intro />}
      <div className="mt-5 rounded-panel bg-card">
        <Panel className="max-sm:px-4">
          {!hasCookies && (
            <p className="mb-3 rounded-control border border-amber-line bg-amber-soft px-3.5 py-3 text-sm text-amber">
              {t('noCookies')}
            </p>
          )}
          <Tabs value={tab} onValueChange={open}>
            <TabsList aria-label={t('tabs')} hidden={isSecondStep}>
              <TabsTrigger value="login">{t('login')}</TabsTrigger>
              <TabsTrigger value="register" ref={registerTab}>
                {t('register')}
              </TabsTrigger>
            </TabsList>
            <TabsContent value="login" tabIndex={-1} className={isSecondStep ? undefined : 'pt-4'}>
              <LoginForm step={step} onStep={setStep} typed={typed}>
                {/* The focus selects the tab. */}
                <p className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-muted">
                  {t('newHere')}
                  <button
                    type="button"
                    onClick={() => registerTab.current?.focus()}
                    className="rounded-chip py-3 text-sm font-semibold text-mint underline decoration-mint-line underline-offset-4"
                  >
                    {t('createAccount')}
                  </button>
                </p>
              </LoginForm>
            </TabsContent>
            <TabsContent value="register" isKept tabIndex={-1} className="pt-4">
              <RegisterForm referralCode={referralCode} />
            </TabsContent>
          </Tabs>
        </Panel>
      </div>
    </div>
  )
}

/** The drawing shows a session that is started, credits that arrive and friends who join. */
function Intro() {
  const { t } = useTranslation('auth')
  return (
    <div className="mt-4 flex flex-col items-center gap-2 text-center">
      <svg
        aria-hidden="true"
        viewBox="0 0 216 48"
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        className="h-11 max-w-full stroke-mint"
      >
        <g className="stroke-mint-line">
          <path d="M58 24h18M144 24h18" strokeDasharray="0.1 6" />
          <circle cx="24" cy="24" r="21" />
          <path d="m189 19-9 13M195 19l9 13" />
        </g>
        <path d="M24 3a21 21 0 1 1-18.2 31.5M24 14v9M17.5 18.2a9 9 0 1 0 13 0M95 19.5h10M100 19.5v10" />
        <path d="M109.5 13.7a14 14 0 1 1 0 20.6" className="stroke-sky" />
        <circle cx="100" cy="24" r="14" />
        <circle cx="192" cy="13" r="6" />
        <circle cx="177" cy="37" r="6" />
        <circle cx="207" cy="37" r="6" />
      </svg>
      <p className="text-sm text-balance">{t('intro')}</p>
    </div>
  )
}
