/** Words of PromQL that are no series; functions are recognised by their bracket. */
const KEYWORDS = new Set([
  'and',
  'or',
  'unless',
  'by',
  'without',
  'on',
  'ignoring',
  'bool',
  'offset',
])
/** Added by Prometheus to every scraped series. */
const TARGET_LABELS = ['instance', 'job']
const SERIES = /[a-zA-Z_:][\w:]*/g

/** A series of an expression, and the labels that the expression uses with it or its result. */
export type UsedNames = { series: string[]; labels: string[] }

/** The names of series and labels in an expression. */
export function namesIn(expr: string): UsedNames {
  const labels: string[] = []
  const keep = (text: string) => void labels.push(...text.split(/[\s,]+/).filter(Boolean))
  const rest = expr
    .replace(/"[^"]*"/g, '""')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\{([^}]*)\}/g, (_, matchers: string) => {
      keep(matchers.replace(/(=~|!~|!=|=)""/g, ''))
      return ''
    })
    .replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, list: string) => {
      keep(list)
      return ''
    })
    .replace(/\b[a-z_]+\s*\(/g, '(')
  const series = [...rest.matchAll(SERIES)].map(([name]) => name)
  return {
    series: [...new Set(series)].filter((name) => !KEYWORDS.has(name)),
    labels: [...new Set(labels)].filter((label) => !TARGET_LABELS.includes(label)),
  }
}
