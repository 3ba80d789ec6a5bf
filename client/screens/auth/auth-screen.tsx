import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { BrandHead } from '#client/layout/header/brand.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'

/** Login and registration; a referral link opens the registration with its code filled in. */
export function AuthScreen() {
  const { t } = useTranslation('auth')
  const referralCode = new URLSearchParams(useSearch()).get('ref')?.trim() ?? ''
  return (
    <div className="mx-auto max-w-form">
      <BrandHead />
      <div className="mt-8 rounded-panel bg-card">
        <Panel className="max-sm:px-4">
          <Tabs defaultValue={referralCode ? 'register' : 'login'}>
            <TabsList aria-label={t('tabs')}>
              <TabsTrigger value="login">{t('login')}</TabsTrigger>
              <TabsTrigger value="register">{t('register')}</TabsTrigger>
            </TabsList>
            <TabsContent value="login" tabIndex={-1} className="pt-5">
              <LoginForm />
            </TabsContent>
            <TabsContent value="register" tabIndex={-1} className="pt-5">
              <RegisterForm referralCode={referralCode} />
            </TabsContent>
          </Tabs>
        </Panel>
      </div>
    </div>
  )
}
