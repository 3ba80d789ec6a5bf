import { expect, it } from 'vitest'
import { TrialReport } from './report.ts'

it('a report prints its steps as a table and has not failed', async () => {
  const report = new TrialReport('Step')
  await report.step(
    'copy',
    async () => 3,
    (files) => `${files} files`,
  )
  report.expect('status', 200, 200)
  report.check('violated rules', [])
  expect(report.toString()).toMatch(
    /^\| Step \| Result \| s \|\n\| --- \| --- \| ---: \|\n\| copy \| 3 files \| 0\.0 \|\n\| status \| 200 \| {2}\|\n\| violated rules \| none \| {2}\|$/,
  )
  expect(report.hasFailed).toBe(false)
})

it('a report fails with a thrown step, an unexpected value, a problem, and when it is empty', async () => {
  const failing = [
    (report: TrialReport) =>
      report.step('x', () => Promise.reject(new Error('no'))).catch(() => {}),
    (report: TrialReport) => report.expect('x', 500, 200),
    (report: TrialReport) => report.check('x', ['broken']),
    () => {},
  ]
  for (const fail of failing) {
    const report = new TrialReport('Step')
    await fail(report)
    expect(report.hasFailed).toBe(true)
  }
})
