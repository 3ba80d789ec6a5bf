import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { testFolder } from '#scripts/testing/temp-folder'
import { type AlertExample, EXAMPLES } from './testing/alert-examples.ts'
import { ALERTS, type AlertRule } from './testing/monitoring-files.ts'
import { hasPromtool, PROMTOOL_NOTE, promtool } from './testing/promtool.ts'

it('every alert has an example that fires and one that does not', () => {
  expect(Object.keys(EXAMPLES)).toEqual(ALERTS.map(({ alert }) => alert))
})

/** Two tests of promtool: the state of an alert after an hour of series for which it fires and not. */
function testsOf(rule: AlertRule) {
  const { fires, quiet, labels }: AlertExample = EXAMPLES[rule.alert] ?? { fires: {}, quiet: {} }
  const firing = { exp_labels: { ...rule.labels, ...labels }, exp_annotations: rule.annotations }
  const stateAfter = (series: Record<string, string>, exp_alerts: (typeof firing)[]) => ({
    name: `${rule.alert} ${exp_alerts.length ? 'fires' : 'does not fire'}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: '60m', alertname: rule.alert, exp_alerts }],
  })
  return [stateAfter(fires, [firing]), stateAfter(quiet, [])]
}

it.skipIf(!hasPromtool)(`every alert fires when it should and only then${PROMTOOL_NOTE}`, () => {
  const folder = testFolder()
  const write = (name: string, content: object) => {
    fs.writeFileSync(path.join(folder, name), stringify(content))
    return path.join(folder, name)
  }
  // A file each, because promtool evaluates every rule of a file for every test.
  const files = ALERTS.map((rule) => {
    const rules = `rule-${rule.alert}.yml`
    write(rules, { groups: [{ name: 'tesp', rules: [rule] }] })
    return write(`${rule.alert}.yml`, {
      rule_files: [rules],
      evaluation_interval: '1m',
      tests: testsOf(rule),
    })
  })
  expect(promtool(['test', 'rules', ...files])).toBe('')
})

it.each(ALERTS)('$alert says what is noticed, what to do and how urgent it is', (rule) => {
  expect(rule.annotations.summary).toMatch(/^[A-Z].*[^.]$/)
  expect(rule.annotations.action).toMatch(/[.`]$/)
  expect(['page', 'ticket']).toContain(rule.labels.severity)
})
