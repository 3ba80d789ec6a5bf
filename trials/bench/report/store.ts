import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { isPart, PARTS } from '#trials/bench/parts/index'
import type { StoredResult } from '#trials/bench/result'
import { plotOf } from './plot.ts'

/** Results, plots and the prose of each part. */
export const RESULTS_DIR = path.join(ROOT, 'docs/performance')

/** Writes a result and its plots over those of the part's earlier run. */
export function storeResult(result: StoredResult): void {
  const { part, tables } = result
  if (!isPart(part)) throw new Error(`there is no part ${part}`)
  fs.mkdirSync(RESULTS_DIR, { recursive: true })
  for (const file of fs.readdirSync(RESULTS_DIR)) {
    if (file.startsWith(`${part}-`) && file.endsWith('.svg')) {
      fs.rmSync(path.join(RESULTS_DIR, file))
    }
  }
  fs.writeFileSync(path.join(RESULTS_DIR, `${part}.json`), `${JSON.stringify(result, null, 2)}\n`)
  for (const table of tables) {
    const svg = plotOf(table)
    if (svg) fs.writeFileSync(path.join(RESULTS_DIR, plotFile(part, table.id)), svg)
  }
}

/** Name of a table's plot in `RESULTS_DIR`. */
export const plotFile = (part: string, tableId: string) => `${part}-${tableId}.svg`

/** The stored result of each measured part, in the order of the page. */
export function storedResults(): StoredResult[] {
  return Object.keys(PARTS).flatMap((part) => {
    const file = path.join(RESULTS_DIR, `${part}.json`)
    if (!fs.existsSync(file)) return []
    return [JSON.parse(fs.readFileSync(file, 'utf8')) as StoredResult]
  })
}
