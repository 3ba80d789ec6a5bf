import { expect, it } from 'vitest'
import { typedWords } from './typed.ts'

it('a negative amount is a word, before and after options', () => {
  const correction = ['ledger', 'correct', 'eve', 'TESP']
  expect(typedWords([...correction, '-0.25', '--reason', 'paid twice'])).toEqual({
    words: [...correction, '-0.25'],
    options: { reason: 'paid twice' },
  })
  expect(typedWords([...correction, '--yes', '-.5', '--reason', '-1 TESP'])).toEqual({
    words: [...correction, '-.5'],
    options: { yes: true, reason: '-1 TESP' },
  })
})

it('a negative value of an option stays as it was typed', () => {
  expect(typedWords(['mail', 'failed', '--limit', '-5', '--out', '-1.zip']).options).toEqual({
    limit: '-5',
    out: '-1.zip',
  })
})

it.each([['-x'], ['--resaon']])('the unknown option %s is rejected', (option) => {
  expect(() => typedWords(['status', option])).toThrow(`Unknown option '${option}'`)
})
