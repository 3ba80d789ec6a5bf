import { object, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { USERNAME_MIN } from '#rules/constants'
import { LANGUAGES, type Language } from '#rules/members/languages'

/** The Profile tab; user name and e-mail are read-only there. */
export const profileForm = object({
  username: string().min(USERNAME_MIN, API_TEXTS.usernameShort).max(254, API_TEXTS.usernameFixed),
  email: string().max(254, API_TEXTS.emailOfProfile).email(API_TEXTS.emailOfProfile),
  fullName: string().nullable().max(100, API_TEXTS.fullNameLong),
  phone: string().nullable().max(32, API_TEXTS.phoneLong),
})

/** Body of PATCH /api/user/profile: the whole profile, only an avatar, or only the language. */
export const profileBody = profileForm.shape({
  avatar: string().max(150_000, API_TEXTS.avatarLarge),
  /** The language of mails. */
  language: string<Language>()
    .max(2, API_TEXTS.languageUnknown)
    .oneOf([...LANGUAGES], API_TEXTS.languageUnknown),
})
