import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { TrialReport } from './report.ts'

/** What a trial works with; `defer` registers what is undone at the end, in reverse order. */
export type Trial = {
  report: TrialReport
  /** A folder of its own that every account can traverse; removed at the end. */
  folder: string
  defer(undo: () => unknown): void
}

/**
 * Runs a trial of operations, prints its table and ends the process: with 0 only if every step was
 * right.
 * @param missing why the trial cannot run here; it is then skipped with this text
 */
export async function runTrial(
  title: string,
  missing: string | undefined,
  run: (trial: Trial) => Promise<void>,
): Promise<never> {
  if (missing) {
    console.log(`${title}: skipped, ${missing}`)
    process.exit(0)
  }
  const report = new TrialReport(title)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-trial-'))
  // Servers run under another account if this process is root.
  fs.chmodSync(folder, 0o755)
  const undo: (() => unknown)[] = [() => fs.rmSync(folder, { recursive: true, force: true })]
  let failure: unknown
  try {
    await run({ report, folder, defer: (work) => void undo.unshift(work) })
  } catch (error) {
    failure = error
    console.error(error)
  }
  for (const work of undo) {
    await Promise.resolve()
      .then(work)
      .catch((error) => console.error(error))
  }
  console.log(`\n${report}`)
  process.exit(failure || report.hasFailed ? 1 : 0)
}
