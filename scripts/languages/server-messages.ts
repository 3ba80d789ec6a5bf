import { isNode, type Node, parse, textOf, walk } from './syntax-tree.ts'

/** Stands for the value of an expression in a template. */
export const VALUE = '7'

/** Calls whose texts are no messages for members: exceptions of the program, and log lines. */
const NOT_MESSAGES = /^(Error|TypeError|UnreadableMail|info|warn|error|debug|comment|raw)$/

function calleeOf({ callee }: Node): string {
  if (!isNode(callee)) return ''
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  return isNode(name) ? String(name.name) : ''
}

/** Names of routes, and HTTP that is written by hand. */
const NO_SENTENCE = /^(GET|POST|PATCH|PUT|DELETE|HTTP\/1\.1|Connection:) /

/** The sentences in a file of the server: texts of several words that begin with a capital. */
export function sentences(file: string, source: string): string[] {
  const found: string[] = []
  walk(parse(file, source), (node) => {
    if (/Import|Export.*Source/.test(node.type)) return false
    if (/^(Call|New)Expression$/.test(node.type) && NOT_MESSAGES.test(calleeOf(node))) return false
    const text = textOf(node, VALUE)
    if (text !== undefined && /^\p{Lu}[^\n]* /u.test(text) && !NO_SENTENCE.test(text))
      found.push(text)
    return undefined
  })
  return found
}
