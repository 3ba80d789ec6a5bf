import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { BenchTable, StoredResult } from '#trials/bench/result'
import { hasPlot } from './plot.ts'
import { tableText } from './result-text.ts'
import { plotFile, RESULTS_DIR, storedResults } from './store.ts'

const PAGE = path.join(ROOT, 'docs/performance.md')

const INTRODUCTION = `# Performance

Written by \`npm run bench\` from the results in \`docs/performance/\`; do not edit it. \`npm run bench -- reads\` measures one
part again and leaves the others as they are; \`--quick\` shows that a part runs and stores nothing.

Product and peers are measured in one run: each round runs each of them once, in another order each time. A figure is the
median of all rounds, with its range. Servers, product and load generators share the cores of one machine, Postgres flushes to disk
(fsync on), and after a part that writes money the audit of the ledger finds no violation.`

function runText({ run }: StoredResult): string {
  return (
    `${run.date} UTC, commit \`${run.commit}\`, \`${run.command}\`, ${run.rounds} rounds. ` +
    `${run.cpu}, ${run.cores} cores, ${run.memoryGiB} GiB; Node ${run.node}, PostgreSQL ${run.postgres}, ${run.redis}.`
  )
}

function tableWithPlot(part: string, table: BenchTable): string {
  const plot = `![${table.title}](performance/${plotFile(part, table.id)})`
  return hasPlot(table) ? `${tableText(table)}\n\n${plot}` : tableText(table)
}

function proseLink(part: string): string[] {
  const exists = fs.existsSync(path.join(RESULTS_DIR, `${part}.md`))
  return exists ? [`Profile, and what each attempt gave: [${part}](performance/${part}.md).`] : []
}

function section(result: StoredResult): string {
  const { part, title, tables, notes } = result
  return [
    `## ${title}`,
    runText(result),
    ...tables.map((table) => tableWithPlot(part, table)),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
    ...proseLink(part),
  ].join('\n\n')
}

function designLink(): string[] {
  const exists = fs.existsSync(path.join(RESULTS_DIR, 'design.md'))
  return exists ? ['Why the design is as it is: [design](performance/design.md).'] : []
}

/** The text of docs/performance.md from everything that is stored. */
export function performancePage(): string {
  return `${[INTRODUCTION, ...designLink(), ...storedResults().map(section)].join('\n\n')}\n`
}

/** Writes docs/performance.md. */
export function writePage(): void {
  fs.writeFileSync(PAGE, performancePage())
}
