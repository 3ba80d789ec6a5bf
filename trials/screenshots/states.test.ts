import { expect, it } from 'vitest'
import { LANGUAGES } from '#rules/members/languages'
import { shotsOf, WINDOWS } from './pictures.ts'
import { nameOf } from './states/state.ts'
import { STATES } from './states.ts'

/** Screens that read data when they open. */
const READING = ['mine', 'wallet', 'tasks', 'team', 'network']

it('every state has a unique name, which is a file name', () => {
  const names = STATES.map(nameOf)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(names.filter((name) => !/^[a-z-]+$/.test(name))).toEqual([])
})

it('every screen that reads data is shown while it loads and after it failed', () => {
  const names = STATES.map(nameOf)
  const wanted = READING.flatMap((screen) => [`${screen}-loading`, `${screen}-error`])
  expect(wanted.filter((name) => !names.includes(name))).toEqual([])
})

it('every screen of a member has a picture of its shell and one with large text', () => {
  const names = STATES.map(nameOf)
  const wanted = [...READING, 'account'].flatMap((screen) => [
    `${screen}-shell`,
    `${screen}-large-text`,
  ])
  expect(wanted.filter((name) => !names.includes(name))).toEqual([])
})

it('every state is shown in every language and window, large text not in the smallest', () => {
  const shots = shotsOf(STATES, {})
  const large = STATES.filter(({ largeText }) => largeText).length
  expect(shots).toHaveLength((STATES.length * WINDOWS.length - large) * LANGUAGES.length)
})

it('a selection of states, languages and widths is shown alone', () => {
  const [shot, ...more] = shotsOf(STATES, { only: 'team-qr', language: 'vi', width: '390' })
  expect(more).toEqual([])
  expect(shot).toMatchObject({ language: 'vi', window: { width: 390 }, state: { screen: 'team' } })
  const both = shotsOf(STATES, { only: 'team-qr,menu', language: 'vi', width: '390' })
  expect(new Set(both.map(({ state }) => state.screen))).toEqual(new Set(['menu', 'team']))
})
