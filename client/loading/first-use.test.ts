import { expect, it } from 'vitest'
import { firstUse } from './first-use.ts'

const settled = async (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(resolve, 0, false))])

it.each(['pointerdown', 'touchstart', 'focusin', 'keydown', 'input'])(
  'the event %s is a use of the page',
  async (name) => {
    const used = firstUse()
    expect(await settled(used)).toBe(false)
    document.dispatchEvent(new Event(name))
    expect(await settled(used)).toBe(true)
  },
)

it.each([
  [0, 0, false],
  [1, 0, true],
  [0, -1, true],
])('a pointer that moved by (%i, %i) uses the page: %s', async (movementX, movementY, isUse) => {
  const used = firstUse()
  document.dispatchEvent(Object.assign(new Event('pointermove'), { movementX, movementY }))
  expect(await settled(used)).toBe(isUse)
  document.dispatchEvent(new Event('keydown'))
})

it('a page whose field has the focus already is in use', async () => {
  const field = document.createElement('input')
  document.body.append(field)
  field.focus()
  expect(await settled(firstUse())).toBe(true)
  field.remove()
})
