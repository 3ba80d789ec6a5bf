import Lock from 'lucide-react/icons/lock'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ValidationError } from 'yup'
import { apiText } from '#client/language/language.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Field } from '#client/ui/forms/field.tsx'
import type { User } from '#rules/members/account-snapshots'
import { type Profile, saveProfile } from './profile-commands.ts'

type Problems = Partial<Record<keyof Profile, string>>

/** Loads its rules on first use, to keep them out of the first load. If that fails, the server still checks. */
async function problemsOf(profile: Profile): Promise<Problems> {
  const rules = await import('#contract/forms/profile').catch(() => undefined)
  try {
    await rules?.profileForm.validate(profile, { abortEarly: false })
    return {}
  } catch (error) {
    const { inner } = error as ValidationError
    return Object.fromEntries(inner.map(({ path, message }) => [path, message]))
  }
}

const readOnly = {
  readOnly: true,
  autoComplete: 'off',
  trailing: (
    <span className="inline-flex size-11 items-center justify-center text-muted">
      <Lock className="size-4" strokeWidth={1.75} />
    </span>
  ),
} as const

/** Without Formik: it would be a sixth of the first load of this screen. */
export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation('account')
  // Keeps only what is typed: the rest follows a profile that is saved on another page or device.
  const [typed, setTyped] = useState<Partial<Profile>>({})
  const [problems, setProblems] = useState<Problems>({})
  const [isSaving, setSaving] = useState(false)
  const [failures, setFailures] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { username, email } = user
  const saved = { username, email, fullName: user.fullName ?? '', phone: user.phone ?? '' }
  const profile: Profile = { ...saved, ...typed }

  useEffect(() => {
    if (failures > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [failures])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSaving) return
    setSaving(true)
    const found = await problemsOf(profile)
    setProblems(found)
    if (Object.keys(found).length > 0) setFailures((count) => count + 1)
    // What was typed meanwhile stays.
    else if (await saveProfile(profile)) setTyped((now) => (now === typed ? {} : now))
    setSaving(false)
  }

  const fieldOf = (name: keyof Profile) => ({
    name,
    label: t(`profile.${name}`),
    value: profile[name],
    error: problems[name] && apiText(problems[name]),
  })
  const editable = (name: keyof Profile) => ({
    ...fieldOf(name),
    onChange: ({ currentTarget }: FormEvent<HTMLInputElement>) => {
      setTyped({ ...typed, [name]: currentTarget.value })
      // Hides the message while its field is corrected.
      setProblems(({ [name]: _, ...others }) => others)
    },
    onBlur: () => {
      if (name in typed) void problemsOf(profile).then(setProblems)
    },
  })
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-2">
      <Field {...fieldOf('username')} {...readOnly} />
      <Field {...fieldOf('email')} type="email" {...readOnly} />
      <Field {...editable('fullName')} autoComplete="name" />
      <Field {...editable('phone')} type="tel" inputMode="tel" autoComplete="tel" />
      <Button type="submit" size="large" busy={isSaving} className="mt-2 w-full">
        {t('profile.save')}
      </Button>
    </form>
  )
}
