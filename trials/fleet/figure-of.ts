/** Longest wait for the metrics of a process that is starting or stopping. */
const LIMIT_MS = 2_000

/** Value of a metric without labels of the process with this metrics port. */
export async function figureOf(port: number, metric: string): Promise<number> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { signal })).text()
  const line = text.split('\n').find((each) => each.startsWith(`${metric} `))
  if (line === undefined) throw new Error(`port ${port} has no metric ${metric}`)
  return Number(line.slice(metric.length))
}
