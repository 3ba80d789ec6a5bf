import fs from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { isProduct, sourceFiles } from '#scripts/testing/import-graph'

/** A node of an ESTree with JSX. */
type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Parses TypeScript or TSX, by the extension of `file`. */
function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  return program as unknown as Node
}

/** The nodes directly below a node. */
function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

/** Calls back with every node, parents first; a node for which it returns false is not entered. */
function walk(node: Node, visit: (node: Node) => boolean | undefined): void {
  if (visit(node) === false) return
  for (const child of childrenOf(node)) walk(child, visit)
}

/** The text of a literal, or of a template with `hole` for each expression; undefined for others. */
function textOf(node: Node, hole: string): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node.quasis as { value: { cooked: string } }[]
  return quasis.map(({ value }) => value.cooked).join(hole)
}

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
function literalTexts(file: string, source: string): string[] {
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

/** Folders whose texts are not in the catalogues yet; this list only shrinks. */
const NOT_DONE: string[] = []

const components = sourceFiles(ROOT).filter(
  (file) => file.startsWith('client/') && file.endsWith('.tsx') && isProduct(file),
)

it.each([
  ['<p>Hello {name}</p>', ['Hello']],
  ['<p>{busy ? "Busy" : `Free in $' + '{minutes} min`}</p>', ['Busy', 'Free in min']],
  ['<input placeholder="Your name" className="grow" />', ['Your name']],
  ["<img alt={empty && 'A picture'} />", ['A picture']],
  ['<p>+{reward} TESP · {count}</p>', []],
  ["<p title={t('title')}>{t('text')}</p>", []],
])('literal texts of %s are found', (source, texts) => {
  expect(literalTexts('example.tsx', `const element = ${source}`)).toEqual(texts)
})

it('no component contains a literal text', () => {
  const done = components.filter((file) => !NOT_DONE.some((folder) => file.startsWith(folder)))
  expect(done.length).toBeGreaterThan(50)
  const found = done.flatMap((file) =>
    literalTexts(file, fs.readFileSync(path.join(ROOT, file), 'utf8')).map(
      (text) => `${file}: ${text}`,
    ),
  )
  expect(found).toEqual([])
})
