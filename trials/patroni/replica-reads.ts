import { newMember, PASSWORD } from '#gateway/testing/visitor'
import type { Stage } from '#trials/chaos/stage'
import type { TrialReport } from '#trials/kit/report'
import { runCommand } from '#trials/kit/run-command'
import type { PatroniCluster } from './cluster/patroni-cluster.ts'

/** Exports a member's data and audits the ledger, both on whichever replica there is now. */
export async function checkReads(
  report: TrialReport,
  stage: Stage,
  { urls }: PatroniCluster,
): Promise<void> {
  const member = await newMember(stage.product)
  const { status } = await member.fetch('/api/user/export', 0, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  })
  report.expect('export of a member who has just registered', status, 200)
  const isFromPrimary = stage.gateway(0).output().includes('reading from the primary')
  report.expect('it is read from a replica', !isFromPrimary, true)
  const env = { DATABASE_URL: urls.primary, DATABASE_REPLICA_URL: urls.replica }
  await report.step(
    'npm run audit on a replica',
    () => runCommand('audit', [], env),
    (output) => output.split('\n').join(', ').replace(/\s+/g, ' '),
  )
}
