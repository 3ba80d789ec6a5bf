import { describe, expect, it } from 'vitest'
import { ageText } from '#client/layout/connection-badge.tsx'

describe('the age of what is on the screen', () => {
  it('counts whole seconds, then whole minutes', () => {
    expect(ageText(0)).toBe('0s')
    expect(ageText(59_999)).toBe('59s')
    expect(ageText(60_000)).toBe('1m')
    expect(ageText(150_000)).toBe('2m')
  })

  it('is never negative', () => {
    expect(ageText(-5)).toBe('0s')
  })
})
