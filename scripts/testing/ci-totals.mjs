// Plain Node, built-ins only: prints `N passed, N failed`, the last line of .ci/run, from the JSON
// report of Vitest.
// Usage: node scripts/testing/ci-totals.mjs <report.json> <failed steps besides the tests> <exit code of the tests>
import fs from 'node:fs'

const [file, failedSteps, testsStatus] = process.argv.slice(2)

function readReport() {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A file that fails to load, or whose set-up fails, reports no failed test and counts as one. */
function failedFiles({ testResults }) {
  return testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
}

const report = readReport()
const passed = report?.numPassedTests ?? 0
let failed = report ? report.numFailedTests + failedFiles(report) : 0
// The report of an aborted run, or with an error outside of all tests, can look complete.
const incomplete = passed === 0 || testsStatus !== '0'
if (incomplete && (failed === 0 || Number(testsStatus) > 1)) failed += 1
failed += Number(failedSteps)

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
