import { Started } from '#scripts/embedded/started'
import { TrialReport } from './report.ts'

export type Trial = {
  report: TrialReport
  /** The folder of `runInGroup`, which every account can traverse; removed at the end. */
  folder: string
  /** Registers what is undone at the end or at Ctrl-C, in reverse order. */
  defer(undo: () => unknown): void
}

/** Runs a trial, prints its table and ends the process: with 0 only if every step was right. */
export async function runTrial(
  title: string,
  folder: string,
  work: (trial: Trial) => Promise<void>,
): Promise<void> {
  const started = new Started()
  started.stopAtSignals()
  const report = new TrialReport(title)
  const defer = (undo: () => unknown) =>
    void started.add(Promise.resolve(), async () => void (await undo()))
  let hasFailed = false
  try {
    await work({ report, folder, defer })
  } catch (error) {
    // A signal ends the servers, so what still runs on them fails.
    if (started.isStopping) return
    hasFailed = true
    console.error(error)
  }
  console.log(`\n${report}`)
  await started.stop(hasFailed || report.hasFailed ? 1 : 0)
}
