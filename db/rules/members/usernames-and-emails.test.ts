import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emailKey,
  isUsername,
  normalizeEmail,
  normalizeUsername,
  usernameKey,
} from './usernames-and-emails.ts'

describe('user names', () => {
  it.each(['abc', 'a.b-c_9', 'Łukasz', 'Nguyễn', '日本語', 'Σίσυφος', 'हिन्दी', 'a'.repeat(30)])(
    'the user name %s is valid',
    (name) => {
      expect(isUsername(name)).toBe(true)
    },
  )

  it.each([
    'ab',
    'a'.repeat(31),
    'me@home',
    'two words',
    'semi;colon',
    '<b>x</b>',
    'nul\0nul',
    'emoji😀',
    '   ',
    'a/b/c',
    "o'neil",
  ])('the user name %j is invalid', (name) => {
    expect(isUsername(name)).toBe(false)
  })

  it.each([
    ['zero width space', 'adm\u200bin'],
    ['right-to-left mark', 'adm\u200fin'],
    ['variation selector', 'admin\ufe0f'],
    ['Hangul filler', '\u3164\u3164\u3164'],
    ['grapheme joiner', 'adm\u034fin'],
  ])('a user name with a hidden %s is invalid', (_, name) => {
    expect(isUsername(name)).toBe(false)
  })

  it('user names are measured in code points, not in UTF-16 units', () => {
    expect(isUsername('𝒳'.repeat(2))).toBe(false)
    expect(isUsername('𐐷𐐷𐐷')).toBe(true)
    expect(isUsername('𐐷'.repeat(30))).toBe(true)
  })

  it('user names are stored in NFKC, trimmed', () => {
    expect(normalizeUsername(' Ｂｏｂ ')).toBe('Bob')
    expect(normalizeUsername('e\u0301mile')).toBe('émile')
  })

  it('user names that differ only in case have one key', () => {
    expect(usernameKey('ALICE')).toBe(usernameKey('alice'))
    expect(usernameKey('ＡLICE')).toBe(usernameKey('alice'))
    expect(usernameKey('straße')).toBe(usernameKey('STRASSE'))
    expect(usernameKey('STRAẞE')).toBe(usernameKey('straße'))
    expect(usernameKey('ΟΔΟΣ')).toBe(usernameKey('οδος'))
    expect(usernameKey('İzmir')).toBe(usernameKey('i\u0307zmir'))
  })

  it('upper and lower case of a user name share a key, in any script', () => {
    const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(letters, (name) => {
        expect(usernameKey(name.toUpperCase())).toBe(usernameKey(name))
        expect(usernameKey(name.toUpperCase().toLowerCase())).toBe(usernameKey(name))
      }),
      { examples: [['ΐab'], ['ŉ'], ['ᾳ'], ['ǰ']] },
    )
  })

  it('upper and lower case share a key for every letter of Unicode', () => {
    const apart: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const letter = String.fromCodePoint(code)
      const key = usernameKey(letter)
      const forms = [letter.toUpperCase(), letter.toLowerCase(), key]
      // Most letters have no other form, and normalising a million of them takes seconds.
      const others = forms.filter((form) => form !== letter)
      if (others.some((form) => usernameKey(form) !== key)) apart.push(letter)
    }
    expect(apart).toEqual([])
  })

  it('the key of the stored form equals the key of the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 10 }), (name) => {
        expect(usernameKey(normalizeUsername(name))).toBe(usernameKey(name))
      }),
    )
  })
})

describe('e-mail addresses', () => {
  it('e-mail addresses that differ only in case have one key', () => {
    expect(emailKey(' Bob@Example.COM ')).toBe('bob@example.com')
  })

  it('e-mail addresses are stored as typed, trimmed', () => {
    expect(normalizeEmail(' Bob@Example.com ')).toBe('Bob@Example.com')
  })
})
