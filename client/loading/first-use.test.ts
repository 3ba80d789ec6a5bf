import { expect, it } from 'vitest'
import { firstUse } from './first-use.ts'

const settled = async (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(resolve, 0, false))])

it.each(['pointermove', 'pointerdown', 'touchstart', 'focusin', 'keydown', 'input'])(
  'the event %s is a use of the page',
  async (name) => {
    const used = firstUse()
    expect(await settled(used)).toBe(false)
    document.dispatchEvent(new Event(name))
    expect(await settled(used)).toBe(true)
  },
)

it('a page whose field has the focus already is in use', async () => {
  const field = document.createElement('input')
  document.body.append(field)
  field.focus()
  expect(await settled(firstUse())).toBe(true)
  field.remove()
})
