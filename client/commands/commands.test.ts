import { expect, it } from 'vitest'
import { DEFINITIONS } from '#client/all-commands.ts'
import { actionText, notDoneText } from './commands.ts'

it.each(Object.keys(DEFINITIONS))('command %s has texts', (name) => {
  expect(actionText(name)).not.toBe(name)
  expect(notDoneText(name)).not.toBe(name)
})

it('a command of another version shows its name', () => {
  expect(actionText('teleport')).toBe('teleport')
})
