import { expect, it } from 'vitest'
import { CALLS } from '#operators/ops/program'
import { documentedCommands, placeOf } from '#scripts/docs/documented-commands'
import { readJson } from '#scripts/testing/read-file'
import { TRIALS } from '#trials/trials'

const documented = documentedCommands()
const { scripts } = readJson('package.json') as {
  scripts: Record<string, string>
}

/** Documented commands that match `pattern`, without those that `isKnown` accepts. */
const unknown = (pattern: RegExp, isKnown: (...groups: string[]) => boolean) =>
  documented.filter(({ command }) =>
    [...command.matchAll(pattern)].some(([, ...groups]) => !isKnown(...groups)),
  )

it('every documented command is listed as run on a clone or with the reason why it is not', () => {
  expect(documented.length).toBeGreaterThan(50)
  expect(documented.filter(({ command }) => placeOf(command) === undefined)).toEqual([])
})

it('every documented npm script exists', () => {
  expect(unknown(/npm run (?:--silent )?([\w:-]+)/g, (name = '') => name in scripts)).toEqual([])
})

it('every documented trial and its options exist', () => {
  expect(unknown(/npm run trial (?!--)([\w-]+)/g, (name = '') => name in TRIALS)).toEqual([])
  const options = /npm run trial ([\w-]+) --(?= )(.*)/g
  const isOption = (name = '', given = '') =>
    [...given.matchAll(/--([\w-]+)/g)].every(
      ([, option = '']) => option === 'help' || option in (TRIALS[name]?.options ?? {}),
    )
  expect(unknown(options, isOption)).toEqual([])
})

it('every documented command of operators exists', () => {
  const isCall = (words = '') =>
    CALLS.some(({ call }) => `${words} `.startsWith(`${call} `.replace(/ [<[{-].*/, ' ')))
  expect(unknown(/npm run ops -- ([a-z].*)/g, isCall)).toEqual([])
})
