import { describe, expect, it } from 'vitest'
import { parseRedisUrl } from './topology.ts'

const PASSWORD = 'p%40ss%3Aword'

it('a redis:// URL names one server and is passed on unchanged', () => {
  for (const url of ['redis://localhost:6379', 'rediss://user:pw@[::1]:6380/2']) {
    expect(parseRedisUrl(url)).toEqual({ kind: 'single', url })
  }
})

describe('redis+sentinel://', () => {
  it('a Sentinel URL names Sentinels, master, database and passwords', () => {
    const url = `rediss+sentinel://me:${PASSWORD}@a:1,[::1]:2,c/main/3?sentinelPassword=s%2B1`
    expect(parseRedisUrl(url)).toEqual({
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 1 },
        { host: '::1', port: 2 },
        { host: 'c', port: 26_379 },
      ],
      master: 'main',
      db: 3,
      username: 'me',
      password: 'p@ss:word',
      sentinelPassword: 's+1',
      tls: true,
    })
  })

  it('a Sentinel URL without a login and a database signs in to nothing and takes database 0', () => {
    expect(parseRedisUrl('redis+sentinel://a:1/main')).toMatchObject({
      db: 0,
      username: undefined,
      password: undefined,
      sentinelPassword: undefined,
      tls: false,
    })
  })
})

it('a cluster URL names nodes and a password', () => {
  expect(parseRedisUrl(`redis+cluster://:${PASSWORD}@a:1,b`)).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'a', port: 1 },
      { host: 'b', port: 6_379 },
    ],
    username: undefined,
    password: 'p@ss:word',
    tls: false,
  })
})

it.each([
  ['http://a', 'is not a redis://, rediss://, redis+sentinel:// or redis+cluster:// URL'],
  ['a:6379', 'is not a redis://'],
  ['redis+cluster://', 'names the server ""'],
  ['redis+cluster://a:1,,b:2', 'names the server ""'],
  ['redis+cluster://a:99999', 'names the server "a:99999": write it like host:6379'],
  ['redis+cluster://a:1/1', 'names the database "1": a cluster has database 0 only'],
  ['redis+cluster://a:1?family=6', 'has the unknown parameter "family": leave it out'],
  ['redis+cluster://a:1?sentinelPassword=x', 'has the unknown parameter "sentinelPassword"'],
  ['redis+sentinel://a:1', 'names no master: end it with /master-name'],
  ['redis+sentinel://a:1/', 'names no master'],
  ['redis+sentinel://a:1/main/x', 'has no database number'],
  ['redis+sentinel://a:1/main/0/1', 'has no database number'],
  ['redis+sentinel://:100%@a:1/main', 'write it as %25'],
])('%s is rejected: it %s', (url, problem) => {
  expect(() => parseRedisUrl(url)).toThrow(problem)
})

it.each([
  'redis+cluster://:hidden@a:x',
  'redis+sentinel://:hidden@a:1',
  'redis+sentinel://:hidden%@a:1/main',
  'redis+cluster://:hid@hidden@a:1',
])('the problem with %s names no password', (url) => {
  expect(() => parseRedisUrl(url)).toThrow()
  expect(() => parseRedisUrl(url)).not.toThrow('hid')
})
