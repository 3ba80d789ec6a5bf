import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { insertMembers } from '#db/testing/members'
import { insertSessions } from '#db/testing/sessions'
import { INTERVAL_MS } from '#rules/constants'
import { freePort } from '#runtime/config/free-port'
import { buildRoles } from '#scripts/build/build-roles'
import { machineBusySeconds } from '#trials/bench/capacity/machine-busy'
import { startMembers } from '#trials/bench/capacity/members'
import type { MemberFigures } from '#trials/bench/capacity/protocol'
import { isSlow, resultOf, type Shares, type Step } from '#trials/bench/capacity/result'
import { saturated } from '#trials/bench/capacity/saturation'
import { assertCleanAudit } from '#trials/bench/harness/clean-audit'
import { cpuPercent } from '#trials/bench/harness/figures/process-figures'
import { quantile } from '#trials/bench/harness/figures/statistics'
import { ORIGIN, productEnv } from '#trials/bench/harness/product-env'
import { startRole } from '#trials/bench/harness/role'
import { benchServers } from '#trials/bench/harness/servers'
import { signInMembers } from '#trials/bench/harness/sign-ins'
import type { BenchOptions, PartResult } from '#trials/bench/result'

const STEPS = [12_000, 20_000, 24_000, 28_000, 32_000, 36_000]
const QUICK_STEPS = [200, 400]
/** Members that open the product at a time while the load rises: each reads a whole screen. */
const JOINS_AT_ONCE = 8
/** Two periods of the status poll. */
const WINDOW_MS = 10_000
const SETTLE_MS = 5_000

/** Members who mine; their credits fall due evenly over the next 20 minutes. */
async function insertMiners(db: Db, count: number): Promise<number[]> {
  const ids = await insertMembers(db, count)
  const now = await productNow(db)
  const sessions = ids.map((userId) => ({
    userId,
    startedAt: now - Math.floor(Math.random() * INTERVAL_MS),
  }))
  await insertSessions(db, sessions)
  await db.raw('vacuum analyze')
  return ids
}

/** Members on one machine with a gateway a core, half on sockets and half polling, until answers become slow. */
export async function run(options: BenchOptions): Promise<PartResult> {
  const gateways = os.availableParallelism()
  const steps = options.quick ? QUICK_STEPS : STEPS
  return resultOf(await measureSteps(steps, options, gateways), gateways)
}

/**
 * Raises the number of members step by step and measures each; ends once answers are slow. Each gateway
 * has the same number of members.
 */
export async function measureSteps(
  steps: number[],
  { rounds, quick, log }: BenchOptions,
  gatewayCount = 1,
): Promise<Step[]> {
  await buildRoles()
  const servers = await benchServers()
  const db = servers.pool(2)
  const ports = await Promise.all(Array.from({ length: gatewayCount }, freePort))
  const envOf = (port: number) => productEnv(servers, { PORT: String(port), LOG_LEVEL: 'info' })
  const env = envOf(ports[0] ?? 0)
  const ids = await insertMiners(db, steps.at(-1) ?? 0)
  const cookies = await signInMembers(env, ids)
  const gateways = await Promise.all(ports.map((port) => startRole('gateway', envOf(port))))
  const workers = await startRole('workers', env)
  const members = startMembers()
  const { postgres: Postgres, redis: Redis } = servers.pids
  const nameOf = (n: number) => (gatewayCount === 1 ? 'gateway' : `gateway ${n + 1}`)
  const pids = {
    ...Object.fromEntries(gateways.map(({ pid }, n) => [nameOf(n), pid])),
    Postgres,
    Redis,
    workers: workers.pid,
    load: members.pid,
  }
  const stop = () => Promise.all([...gateways, workers].map((role) => role.stop()))

  async function measure(step: Step): Promise<MemberFigures> {
    const windowMs = quick ? 2_000 : WINDOW_MS
    let shares: Shares = {}
    const busyBefore = machineBusySeconds()
    const figures = await members.during(async () => {
      shares = await cpuPercent(pids, () => sleep(windowMs))
    })
    const busy = ((machineBusySeconds() - busyBefore) * 1_000 * 100) / windowMs
    const own = Object.values(shares).reduce((sum, share) => sum + share, 0)
    // Of processes outside of the bench: they make a figure worthless.
    shares.others = Math.max(0, busy - own)
    const { latenciesMs } = figures
    step.windows.push({
      p50: quantile(latenciesMs, 0.5),
      p99: quantile(latenciesMs, 0.99),
      shares,
    })
    return figures
  }

  try {
    const measured: Step[] = []
    for (const count of steps) {
      const joining = cookies.slice(measured.at(-1)?.members ?? 0, count)
      for (const [n, port] of ports.entries()) {
        const target = { port, origin: ORIGIN }
        const own = joining.filter((_, member) => member % gatewayCount === n)
        await members.join({ target, cookies: own, atOnce: JOINS_AT_ONCE })
      }
      await sleep(quick ? 0 : SETTLE_MS)
      const step: Step = { members: count, windows: [] }
      for (let round = 0; round < rounds; round++) {
        const { statuses, pushes, failures } = await measure(step)
        const { p50 = 0, p99 = 0, shares = {} } = step.windows.at(-1) ?? {}
        log(
          `${count} members: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, answers ` +
            `${JSON.stringify(statuses)}, pushes ${pushes}, failures ${failures}; ` +
            saturated(shares, os.availableParallelism()),
        )
      }
      measured.push(step)
      if (isSlow(step)) break
    }
    members.stop()
    await stop()
    await assertCleanAudit(db)
    return measured
  } finally {
    members.stop()
    await stop()
    await servers.stop()
  }
}
