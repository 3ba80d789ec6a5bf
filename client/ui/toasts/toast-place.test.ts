import { expect, it } from 'vitest'
import { freeTop } from './toast-place.ts'

const LIMITS = { top: 76, bottom: 768 }

it('a toast lies below the header where no control is', () => {
  expect(freeTop(84, LIMITS, [{ top: 220, bottom: 428 }])).toBe(76)
})

it('a toast lies below a control that it would cover', () => {
  expect(freeTop(84, LIMITS, [{ top: 100, bottom: 144 }])).toBe(156)
})

it('a toast skips a gap that is too low for it', () => {
  const controls = [
    { top: 100, bottom: 144 },
    { top: 200, bottom: 244 },
  ]
  expect(freeTop(84, LIMITS, controls)).toBe(256)
})

it('where controls are everywhere a toast covers as little of them as it can', () => {
  const controls = [
    { top: 76, bottom: 400 },
    { top: 430, bottom: 768 },
  ]
  expect(freeTop(84, LIMITS, controls)).toBe(412)
})

it('a toast covers a text rather than a control, and neither where it can', () => {
  const controls = [{ top: 76, bottom: 400 }]
  const text = { top: 420, bottom: 768 }
  expect(freeTop(84, LIMITS, controls, [text])).toBe(412)
  expect(freeTop(84, LIMITS, controls, [{ ...text, bottom: 600 }])).toBe(612)
})

it('a toast that is higher than the page begins at its top', () => {
  expect(freeTop(900, LIMITS, [])).toBe(76)
})
