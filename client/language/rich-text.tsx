import { cloneElement, Fragment, type ReactElement } from 'react'

/** An element in a text: `<name>content</name>` or `<name/>`. */
const ELEMENT = /<(\w+)(?:\/>|>(.*?)<\/\1>)/gs

type RichTextProps = {
  text: string
  elements: Record<string, ReactElement>
}

/** In place of `Trans` of react-i18next, which takes 5 kB of every first load for its HTML parser. */
export function RichText({ text, elements }: RichTextProps) {
  const parts: (string | ReactElement)[] = []
  let end = 0
  for (const match of text.matchAll(ELEMENT)) {
    const [whole, name = '', content] = match
    const element = elements[name] ?? <Fragment />
    parts.push(text.slice(end, match.index))
    parts.push(cloneElement(element, { key: match.index }, ...(content ? [content] : [])))
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}
