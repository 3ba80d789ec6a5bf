import { spawnSync } from 'node:child_process'

/** Whether promtool is installed; Debian's package `prometheus` has it. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Why tests are skipped, as part of their title. */
export const PROMTOOL_NOTE = hasPromtool ? '' : ' (skipped: install promtool)'

/** What promtool finds wrong; empty if it accepts its input. */
export function promtool(args: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`.trim() || `promtool exited with ${status}`
}
