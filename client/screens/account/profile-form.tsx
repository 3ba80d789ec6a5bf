import type { FormikHelpers } from 'formik'
import Lock from 'lucide-react/icons/lock'
import { useTranslation } from 'react-i18next'
import { FormField } from '#client/ui/forms/form-field.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { profileForm } from '#contract/forms/profile'
import type { User } from '#rules/members/account-snapshots'
import { type Profile, saveProfile } from './profile-commands.ts'

const profileOf = ({ username, email, fullName, phone }: User): Profile => ({
  username,
  email,
  fullName: fullName ?? '',
  phone: phone ?? '',
})

const readOnly = {
  readOnly: true,
  autoComplete: 'off',
  trailing: (
    <span className="inline-flex size-11 items-center justify-center text-muted">
      <Lock aria-hidden="true" className="size-4" strokeWidth={1.75} />
    </span>
  ),
} as const

async function submit(profile: Profile, { resetForm }: FormikHelpers<Profile>) {
  const updated = await saveProfile(profile)
  if (updated) resetForm({ values: profileOf(updated) })
}

export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    // Saved on another page load or device, the profile changes while the form is open.
    <FormikForm
      enableReinitialize
      initialValues={profileOf(user)}
      validationSchema={profileForm}
      onSubmit={submit}
    >
      <FormField name="username" label={t('profile.username')} {...readOnly} />
      <FormField name="email" label={t('profile.email')} type="email" {...readOnly} />
      <FormField name="fullName" label={t('profile.fullName')} autoComplete="name" />
      <FormField
        name="phone"
        label={t('profile.phone')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <SubmitButton>{t('profile.save')}</SubmitButton>
    </FormikForm>
  )
}
