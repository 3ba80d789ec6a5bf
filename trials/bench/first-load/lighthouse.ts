import fs from 'node:fs'
import path from 'node:path'
import { run } from '#scripts/embedded/run-program'
import { PEERS_DIR } from '#trials/bench/peers'

type Report = {
  runtimeError?: { message: string }
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<
    string,
    {
      score?: number | null
      numericValue?: number
      details?: { items: (RequestItem & { items?: { node?: { nodeLabel: string } }[] })[] }
    }
  >
}

type RequestItem = { resourceType: string; transferSize: number }

function figuresOf({ runtimeError, categories, audits }: Report) {
  if (runtimeError) throw new Error(runtimeError.message)
  const score = (name: string) => (categories[name]?.score ?? 0) * 100
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  const requests = audits['network-requests']?.details?.items ?? []
  const script = requests.filter(({ resourceType }) => resourceType === 'Script')
  const sum = (items: typeof requests) =>
    items.reduce((bytes, { transferSize }) => bytes + transferSize, 0) / 1_000
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    /** kB as sent. */
    script: sum(script),
    total: sum(requests),
  }
}

export type LoadFigures = ReturnType<typeof figuresOf>

function failedAudits({ categories, audits }: Report): string[] {
  return Object.entries(categories)
    .filter(([name]) => name !== 'performance')
    .flatMap(([, { auditRefs }]) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id)
}

/**
 * Lighthouse's mobile profile in the browser at a debugging port, whose cookies stay; all else is cleared.
 * @returns with `largest`, the text of the largest paint, and `failed`, what costs points besides performance
 */
export async function lighthouse(url: string, port: number, folder: string) {
  const output = path.join(folder, 'lighthouse.json')
  const program = path.join(PEERS_DIR, 'node_modules/lighthouse/cli/index.js')
  const flags = ['--output=json', `--output-path=${output}`, `--port=${port}`, '--quiet']
  await run(process.execPath, [program, url, ...flags], { cwd: folder, name: 'Lighthouse' })
  const report = JSON.parse(fs.readFileSync(output, 'utf8')) as Report
  const [paint] = report.audits['largest-contentful-paint-element']?.details?.items ?? []
  const largest = paint?.items?.[0]?.node?.nodeLabel ?? 'unknown'
  return { figures: figuresOf(report), largest, failed: failedAudits(report) }
}
