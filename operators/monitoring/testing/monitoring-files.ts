import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '#runtime/process/root'

/** A rule of alerts.yml. */
export type AlertRule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}

/** A panel of dashboard.json; a row has no targets. */
export type Panel = {
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}

export const ALERTS_FILE = path.join(ROOT, 'operators/monitoring/alerts.yml')

const read = (file: string) => fs.readFileSync(file, 'utf8')

/** Every alert rule. */
export const ALERTS: AlertRule[] = parse(read(ALERTS_FILE)).groups.flatMap(
  ({ rules }: { rules: AlertRule[] }) => rules,
)

/** Every panel of the dashboard, rows among them. */
export const PANELS: Panel[] = JSON.parse(
  read(path.join(ROOT, 'operators/monitoring/dashboard.json')),
).panels
