import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { testFolder } from './temp-folder.ts'

interface Report {
  passed?: number
  failed?: number
  success?: boolean
  files?: { status: string; assertionResults: { status: string }[] }[]
}

function totals(report: Report | undefined, failedSteps = 0) {
  const file = path.join(testFolder(), 'report.json')
  if (report) {
    const { passed = 0, failed = 0, success = true, files = [] } = report
    const content = { numPassedTests: passed, numFailedTests: failed, success, testResults: files }
    fs.writeFileSync(file, JSON.stringify(content))
  }
  const script = path.join(ROOT, 'scripts/testing/ci-totals.mjs')
  const run = spawnSync(process.execPath, [script, file, String(failedSteps)], { encoding: 'utf8' })
  return `${run.stdout.trim()} (${run.status})`
}

const brokenFile = { status: 'failed', assertionResults: [] }

describe('ci-totals', () => {
  it.each([
    ['all passed', { passed: 7 }, 0, '7 passed, 0 failed (0)'],
    ['a failed test', { passed: 6, failed: 1, success: false }, 0, '6 passed, 1 failed (1)'],
    ['a file that does not load', { passed: 6, files: [brokenFile] }, 0, '6 passed, 1 failed (1)'],
    ['an error outside of tests', { passed: 7, success: false }, 0, '7 passed, 1 failed (1)'],
    ['a failed build', { passed: 7 }, 1, '7 passed, 1 failed (1)'],
    ['no test at all', { passed: 0 }, 0, '0 passed, 1 failed (1)'],
    ['no report', undefined, 0, '0 passed, 1 failed (1)'],
  ])('ci-totals counts %s', (_name, report, failedSteps, line) => {
    expect(totals(report, failedSteps)).toBe(line)
  })
})
