import { expect, it } from 'vitest'
import type { Translation } from './catalogues.ts'
import { i18n } from './language.ts'

/** `tsc` reports an unused `@ts-expect-error`, so these lines prove that the mistakes do not compile. */

type English = { hello: 'Hello'; members_one: 'One'; members_other: 'Many' }

it('a text without its key or its variables does not compile', () => {
  // @ts-expect-error there is no such key
  expect(i18n.t('auth:nothing')).toBe('nothing')
  // @ts-expect-error the variable `username` is missing
  expect(i18n.t('auth:welcome')).toContain('{{username}}')
  expect(i18n.t('auth:welcome', { username: 'mai' })).toBe('Welcome back, mai!')
})

it('a translation with a missing or an unknown key does not compile', () => {
  const complete: Translation<English> = { hello: 'Chào', members_other: 'Nhiều' }
  // @ts-expect-error `hello` is missing
  const incomplete: Translation<English> = { members_other: 'Nhiều' }
  // @ts-expect-error English has no `goodbye`
  const unknown: Translation<English> = { ...complete, goodbye: 'Tạm biệt' }
  expect([complete, incomplete, unknown]).toHaveLength(3)
})
