import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'
import { ALERTS, type Alert, type AlertName, alertRules, annotationsOf } from './alerts.ts'
import { type AlertExample, EXAMPLES } from './testing/alert-examples.ts'
import { hasPromtool, PROMTOOL_NOTE, promtool } from './testing/promtool.ts'

const names = Object.keys(ALERTS) as AlertName[]

/** A test file of promtool: the state of one alert after an hour with these series. */
function testFile(alertname: AlertName, example: AlertExample, fires: boolean): string {
  const alert: Alert = ALERTS[alertname]
  const exp_labels = { severity: alert.severity, ...example.labels }
  const firing = [{ exp_labels, exp_annotations: annotationsOf(alert) }]
  return stringify({
    rule_files: ['alerts.yml'],
    evaluation_interval: '30s',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(fires ? example.fires : example.quiet).map(
          ([series, values]) => ({ series, values }),
        ),
        alert_rule_test: [{ eval_time: '60m', alertname, exp_alerts: fires ? firing : [] }],
      },
    ],
  })
}

it.skipIf(!hasPromtool).each(names)(
  `%s fires when it should and only then${PROMTOOL_NOTE}`,
  (name) => {
    const folder = testFolder()
    fs.writeFileSync(path.join(folder, 'alerts.yml'), alertRules())
    const problems = [true, false].map((fires) => {
      const file = path.join(folder, `${fires ? 'fires' : 'quiet'}.yml`)
      fs.writeFileSync(file, testFile(name, EXAMPLES[name], fires))
      return promtool(['test', 'rules', file])
    })
    expect(problems).toEqual(['', ''])
  },
)

it.each(names)('%s says what is noticed and what to do', (name) => {
  const { summary, action } = ALERTS[name]
  expect(summary).toMatch(/^[A-Z].*[^.]$/)
  expect(action).toMatch(/[.`]$/)
})

it('every rule of alerts.yml has a section with an action in docs/alerts.md', () => {
  const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
  const rules = [...read('operators/monitoring/alerts.yml').matchAll(/alert: (\w+)/g)]
  const sections = read('docs/alerts.md').split('\n## ').slice(1)
  const withAction = sections.filter((section) => /^- Do: \S/m.test(section))
  const titles = withAction.map((section) => section.split('\n')[0])
  expect(titles).toEqual(rules.map(([, name]) => name))
  expect(titles.length).toBeGreaterThan(0)
})
