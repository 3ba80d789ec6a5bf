import { setTimeout as sleep } from 'node:timers/promises'
import { PANELS } from '#operators/monitoring/testing/monitoring-files'
import { panelProblems, ruleProblems, targetProblems } from '#trials/containers/profiles/monitoring'
import { Prometheus } from '#trials/containers/profiles/prometheus'
import { reviewerProblems } from '#trials/containers/profiles/reviewer'
import { MEMBERS } from '#trials/containers/steps/run-steps'
import { type Log, whileRunning } from './running.ts'

/** Rates need two scrapes, which are 15 s apart; rules are loaded within one evaluation. */
const DATA_LIMIT_MS = 120_000
const PAUSE_MS = 5_000

async function monitoringProblems(prometheus: Prometheus): Promise<string[]> {
  return [
    ...(await targetProblems(prometheus, { gateway: 2, workers: 2 })),
    ...(await ruleProblems(prometheus)),
    ...(await panelProblems(prometheus)),
  ]
}

/** Waits until Prometheus has everything; returns what it lacks at the end. */
async function waitForMonitoring(prometheus: Prometheus): Promise<string[]> {
  const end = Date.now() + DATA_LIMIT_MS
  for (;;) {
    const problems = await monitoringProblems(prometheus)
    if (problems.length === 0 || Date.now() > end) return problems
    await sleep(PAUSE_MS)
  }
}

/**
 * The profiles: a journey whose code is read from the mail catcher, the sign-in of a reviewer, and
 * under load every target, alert rule and panel of the dashboard in Prometheus.
 */
export function profiles(log: Log): Promise<string[]> {
  const services = ['mail', 'prometheus', 'review'] as const
  return whileRunning(
    { catchesMail: true, profiles: [...services] },
    async ({ stack, members }) => {
      log(`${services.join(', ')} run`)
      for (const step of await members.do('journey')) log(`  a member ${step}`)
      const problems = await reviewerProblems(stack, log)
      await members.do('start', MEMBERS)
      const prometheus = new Prometheus(stack.project.ports.prometheus)
      problems.push(...(await waitForMonitoring(prometheus)))
      const panels = PANELS.filter(({ targets }) => targets).length
      log(`Prometheus: ${await prometheus.summary()}, ${panels} panels asked`)
      const { failed } = await members.do('step')
      return [...problems, ...failed, ...(await members.do('stop'))]
    },
  )
}
