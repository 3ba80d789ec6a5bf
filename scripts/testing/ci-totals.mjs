// Plain Node, built-ins only: prints the last line of a run, `N passed, N failed`, from Vitest's
// report. Usage: node scripts/testing/ci-totals.mjs <report.json> <failed steps besides the tests>
import fs from 'node:fs'

const [file, failedSteps = '0'] = process.argv.slice(2)

function readReport() {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A file that cannot be loaded, or whose set-up fails, has no failed tests: it counts as one. */
function failedFiles({ testResults }) {
  return testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
}

const report = readReport()
const passed = report?.numPassedTests ?? 0
let failed = Number(failedSteps)
if (report) failed += report.numFailedTests + failedFiles(report)
// No report, no test, or an error outside of any test.
if (failed === 0 && (passed === 0 || !report?.success)) failed = 1

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
