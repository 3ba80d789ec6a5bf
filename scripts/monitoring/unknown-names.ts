import { namesIn } from './promql-names.ts'
import type { RegisteredMetric } from './registered-metrics.ts'

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
