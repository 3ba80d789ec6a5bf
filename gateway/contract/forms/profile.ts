import { object, string } from 'yup'
import { USERNAME_MIN } from '#rules/constants'
import { LANGUAGES, type Language } from '#rules/members/languages'

/** The Profile tab; user name and e-mail are read-only there. */
export const profileForm = object({
  username: string()
    .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
    .max(254, 'Username cannot be changed'),
  email: string().max(254, 'Please enter a valid email').email('Please enter a valid email'),
  fullName: string().nullable().max(100, 'Full name must be at most 100 characters'),
  phone: string().nullable().max(32, 'Phone number must be at most 32 characters'),
})

/** Body of PATCH /api/user/profile: the whole profile, only an avatar, or only the language. */
export const profileBody = profileForm.shape({
  avatar: string().max(150_000, 'The image is too large'),
  /** The language of mails. */
  language: string<Language>()
    .max(2, 'This language is not available')
    .oneOf([...LANGUAGES], 'This language is not available'),
})
