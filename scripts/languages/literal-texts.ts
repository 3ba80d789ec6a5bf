import { isNode, type Node, parse, textOf, walk } from './syntax-tree.ts'

/** Attributes that members see or hear. */
const TEXT_ATTRIBUTES = new Set(
  `alt aria-label aria-description aria-roledescription aria-valuetext placeholder title
   busyLabel description empty failedText hint label note retryLabel text unit valueText what`.split(
    /\s+/,
  ),
)

/** Names and units that are the same in every language. */
const SAME_EVERYWHERE = /\b(?:TESP|USDT|KiB|F1)\b/g

const hasWords = (text: string) => /\p{L}/u.test(text.replace(SAME_EVERYWHERE, ''))

/** The literal texts that an expression may render; calls such as `t('key')` render none. */
function textsOf(node: unknown): string[] {
  if (!isNode(node)) return []
  const text = textOf(node, '')
  if (text !== undefined) return [text]
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap(textsOf)
  if (node.type === 'LogicalExpression') return [node.left, node.right].flatMap(textsOf)
  return node.type === 'JSXExpressionContainer' ? textsOf(node.expression) : []
}

function textsOfAttribute({ name, value }: Node): string[] {
  const attribute = isNode(name) ? String(name.name) : ''
  return TEXT_ATTRIBUTES.has(attribute) ? textsOf(value) : []
}

/** The literal texts of a component, which belong into a catalogue. */
export function literalTexts(file: string, source: string): string[] {
  const found: string[] = []
  walk(parse(file, source), (node) => {
    if (node.type === 'JSXText') found.push(String(node.value))
    if (node.type === 'JSXAttribute') found.push(...textsOfAttribute(node))
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      found.push(...(node.children as Node[]).flatMap(textsOf))
    }
    return undefined
  })
  return found.map((text) => text.trim().replace(/\s+/g, ' ')).filter(hasWords)
}
