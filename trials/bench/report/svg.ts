/** Colours that are readable on a light and on a dark page. */
export const INK = '#7d8590'
export const COLOURS = ['#2f81f7', '#db6d28', '#3fb950', '#a371f7', '#d4a72c', '#f778ba']

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

type Attributes = Record<string, string | number>

/** One SVG element; numbers are rounded to a tenth of a pixel. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const list = Object.entries(attributes).map(([key, value]) => {
    const text = typeof value === 'number' ? String(Math.round(value * 10) / 10) : escaped(value)
    return ` ${key}="${text}"`
  })
  return `<${name}${list.join('')}>${content}</${name}>`
}

export function label(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return element('text', { x, y, fill: INK, ...attributes }, escaped(text))
}

/** A whole picture with its title for screen readers. */
export function picture(width: number, height: number, title: string, content: string[]): string {
  const open =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" font-family="system-ui, sans-serif" font-size="13" role="img">`
  return `${[open, `<title>${escaped(title)}</title>`, ...content, '</svg>'].join('\n')}\n`
}
