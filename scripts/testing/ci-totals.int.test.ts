import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { testFolder } from './temp-folder.ts'

interface Report {
  passed?: number
  failed?: number
  files?: { status: string; assertionResults: { status: string }[] }[]
}

function totals(report: Report | undefined, failedSteps: number, status: number) {
  const file = path.join(testFolder(), 'report.json')
  if (report) {
    const { passed = 0, failed = 0, files = [] } = report
    // Vitest reports success in spite of an error outside of all tests.
    const content = {
      numPassedTests: passed,
      numFailedTests: failed,
      success: true,
      testResults: files,
    }
    fs.writeFileSync(file, JSON.stringify(content))
  }
  const script = path.join(ROOT, 'scripts/testing/ci-totals.mjs')
  const args = [script, file, String(failedSteps), String(status)]
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return `${run.stdout.trim()} (${run.status})`
}

const brokenFile = { status: 'failed', assertionResults: [] }

describe('ci-totals', () => {
  it.each([
    ['all passed', { passed: 7 }, 0, 0, '7 passed, 0 failed (0)'],
    ['a failed test', { passed: 6, failed: 1 }, 0, 1, '6 passed, 1 failed (1)'],
    ['a file that does not load', { files: [brokenFile] }, 0, 1, '0 passed, 1 failed (1)'],
    ['an error outside of tests', { passed: 7 }, 0, 1, '7 passed, 1 failed (1)'],
    ['an aborted run', { passed: 6, failed: 1 }, 0, 137, '6 passed, 2 failed (1)'],
    ['a failed build', { passed: 7 }, 1, 0, '7 passed, 1 failed (1)'],
    ['a failed build and a failed test', { passed: 6, failed: 1 }, 1, 1, '6 passed, 2 failed (1)'],
    ['no test at all', { passed: 0 }, 0, 0, '0 passed, 1 failed (1)'],
    ['no report', undefined, 0, 0, '0 passed, 1 failed (1)'],
  ])('ci-totals counts %s', (_name, report, failedSteps, status, line) => {
    expect(totals(report, failedSteps, status)).toBe(line)
  })
})
