/** A string literal from its opening quote on; group 2 is what stands between the quotes. */
const LITERAL = /^\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/
/** A test that is skipped holds nothing. */
const TEST = /(?<![\w.$])(?:it|test)((?:\.(?:each|for|concurrent))*)(?:<[^(]*>)?\(/g

/** Behind the bracket that closes the one before `from`, strings skipped. */
function behindBracket(source: string, from: number): number {
  let depth = 1
  let at = from
  while (depth > 0 && at < source.length) {
    const literal = /['"`]/.test(source.charAt(at)) ? LITERAL.exec(source.slice(at)) : null
    if (!literal && '([{'.includes(source.charAt(at))) depth += 1
    if (!literal && ')]}'.includes(source.charAt(at))) depth -= 1
    at += literal ? literal[0].length : 1
  }
  return at
}

/** The titles of all tests of a file as they stand in it; of a table of tests, the template. */
export function titlesIn(source: string): string[] {
  return [...source.matchAll(TEST)].flatMap((match) => {
    const inside = match.index + match[0].length
    const isTable = /\.(each|for)$/.test(match[1] ?? '')
    const start = isTable ? behindBracket(source, inside) : inside
    const rest = source.slice(start).replace(/^\s*\(/, isTable ? '' : '$&')
    const title = LITERAL.exec(rest)?.[2]
    return title === undefined ? [] : [title.replace(/\\(['"`\\])/g, '$1')]
  })
}
