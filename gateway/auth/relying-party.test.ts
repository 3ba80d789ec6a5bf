import type Koa from 'koa'
import { expect, it } from 'vitest'
import type { Config } from '#runtime/config/config'
import { relyingParty } from './passkeys.ts'

const partyOf = (publicOrigins: string[], origin = '') =>
  relyingParty({ publicOrigins } as Config, { get: () => origin } as unknown as Koa.Context)

it('the first public origin names the domain, and origins below it may use its passkeys', () => {
  const origins = ['https://tesp.example', 'https://www.tesp.example:8443', 'https://other.example']
  expect(partyOf(origins, 'https://evil.example')).toEqual({
    id: 'tesp.example',
    origins: ['https://tesp.example', 'https://www.tesp.example:8443'],
  })
})

it('a domain that only ends with the same letters is no domain below it', () => {
  expect(partyOf(['https://tesp.example', 'https://eviltesp.example']).origins).toHaveLength(1)
})

it('without a public origin the host of the request is the domain', () => {
  expect(partyOf([], 'http://localhost:3000')).toEqual({
    id: 'localhost',
    origins: ['http://localhost:3000'],
  })
})
