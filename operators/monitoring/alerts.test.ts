import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { testFolder } from '#scripts/testing/temp-folder'
import { type AlertExample, EXAMPLES } from './testing/alert-examples.ts'
import { ALERTS, ALERTS_FILE, type AlertRule } from './testing/monitoring-files.ts'
import { hasPromtool, PROMTOOL_NOTE, promtool } from './testing/promtool.ts'

it('every alert has an example that fires and one that does not', () => {
  expect(Object.keys(EXAMPLES)).toEqual(ALERTS.map(({ alert }) => alert))
})

/** A test file of promtool: the state of one alert after an hour with these series. */
function testFile(rule: AlertRule, example: AlertExample, fires: boolean): string {
  const exp_labels = { ...rule.labels, ...example.labels }
  const firing = [{ exp_labels, exp_annotations: rule.annotations }]
  return stringify({
    rule_files: ['alerts.yml'],
    evaluation_interval: '30s',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(fires ? example.fires : example.quiet).map(
          ([series, values]) => ({ series, values }),
        ),
        alert_rule_test: [
          { eval_time: '60m', alertname: rule.alert, exp_alerts: fires ? firing : [] },
        ],
      },
    ],
  })
}

it.skipIf(!hasPromtool).each(ALERTS)(
  `$alert fires when it should and only then${PROMTOOL_NOTE}`,
  (rule) => {
    const folder = testFolder()
    fs.copyFileSync(ALERTS_FILE, path.join(folder, 'alerts.yml'))
    const example = EXAMPLES[rule.alert]
    if (!example) throw new Error(`${rule.alert} has no example`)
    const problems = [true, false].map((fires) => {
      const file = path.join(folder, `${fires ? 'fires' : 'quiet'}.yml`)
      fs.writeFileSync(file, testFile(rule, example, fires))
      return promtool(['test', 'rules', file])
    })
    expect(problems).toEqual(['', ''])
  },
)

it.each(ALERTS)('$alert says what is noticed, what to do and how urgent it is', (rule) => {
  expect(rule.annotations.summary).toMatch(/^[A-Z].*[^.]$/)
  expect(rule.annotations.action).toMatch(/[.`]$/)
  expect(['page', 'ticket']).toContain(rule.labels.severity)
})
