import type { RegisteredMetric } from './registered-metrics.ts'

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

/** The series that Prometheus stores of a metric. */
function seriesOf({ name, type }: RegisteredMetric): string[] {
  return type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => `${name}${end}`) : [name]
}

function labelsOf({ type, labelNames }: RegisteredMetric): string[] {
  return type === 'histogram' ? [...labelNames, 'le'] : labelNames
}

/** Series of an expression that no process serves, and labels that none of its series has. */
export function unknownNames(expr: string, metrics: RegisteredMetric[]): string[] {
  const { series, labels } = namesIn(expr)
  const used = metrics.filter((metric) => seriesOf(metric).some((name) => series.includes(name)))
  const served = used.flatMap(seriesOf)
  const carried = used.flatMap(labelsOf)
  return [
    ...series.filter((name) => !served.includes(name)),
    ...labels.filter((label) => !carried.includes(label)),
  ]
}
