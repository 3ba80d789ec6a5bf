import { parseArgs } from 'node:util'
import { OPTIONS } from './usage.ts'

/** No argument of a process holds a NUL, so it marks negative numbers unambiguously. */
const MARK = '\0'

const marked = (word: string) => (/^-[\d.]/.test(word) ? MARK + word : word)
const unmarked = (word: string) => word.replace(MARK, '')

/**
 * Words and options as an operator types them. A negative number is a word, such as the amount of a
 * correction, and no option.
 * @throws {TypeError} with a message for the operator, for an option that no command has
 */
export function typedWords(argv: string[]) {
  const { values, positionals } = parseArgs({
    args: argv.map(marked),
    allowPositionals: true,
    options: OPTIONS,
  })
  const plain = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? unmarked(value) : value,
  ])
  const options: typeof values = Object.fromEntries(plain)
  return { options, words: positionals.map(unmarked) }
}
