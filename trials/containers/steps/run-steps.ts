import { setTimeout as sleep } from 'node:timers/promises'
import { formatRows } from '#operators/ops/print'
import type { Members } from '#trials/containers/members/members'
import type { Stack } from '#trials/containers/stack/stack'
import { stepRow } from './step-row.ts'
import type { Step } from './steps.ts'

/** Members with a page open; further ones mine without a page. */
export const MEMBERS = 30
/** Time in which each step goes on being observed: lost sockets are noticed later than the restart. */
const SETTLE_MS = 3_000

/** Runs steps under load and prints their table; returns what failed. */
export async function runSteps(
  stack: Stack,
  members: Members,
  steps: Step[],
  log: (line: string) => void,
): Promise<string[]> {
  const problems: string[] = []
  const rows: Record<string, unknown>[] = []
  await members.do('start', MEMBERS)
  for (const step of steps) {
    const startedAt = performance.now()
    await step.run(stack)
    const ms = performance.now() - startedAt
    await sleep(SETTLE_MS)
    const figures = await members.do('step')
    rows.push(stepRow(step.name, ms, figures))
    problems.push(...figures.failed.map((failure) => `${step.name}: ${failure}`))
    log(`  ${step.name}: done`)
  }
  problems.push(...(await members.do('stop')))
  log(formatRows(rows))
  return problems
}
