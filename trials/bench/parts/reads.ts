import { buildRoles } from '#scripts/build/build-roles'
import { assertCleanAudit } from '#trials/bench/harness/clean-audit'
import { interleave } from '#trials/bench/harness/figures/interleave'
import { insertMiningMembers } from '#trials/bench/harness/mining-members'
import { productEnv } from '#trials/bench/harness/product-env'
import { benchServers } from '#trials/bench/harness/servers'
import { signInMembers } from '#trials/bench/harness/sign-ins'
import type { LoadRequest } from '#trials/bench/load/load'
import { startLoadGenerator } from '#trials/bench/load/load'
import { commanders, pollers, readers } from '#trials/bench/reads/connections'
import { type Measurement, measurer } from '#trials/bench/reads/measurements'
import { profileTable } from '#trials/bench/reads/profile'
import { readTables } from '#trials/bench/reads/tables'
import { startTargets, type Target, type Targets } from '#trials/bench/reads/targets'
import type { BenchOptions, PartResult } from '#trials/bench/result'

/** Connections of the load; each reads for a member of its own. */
const CONNECTIONS = 64
/** All members: the plans of a few hundred rows would be those of a toy. */
const MEMBERS = 20_000
/** Members whose commands alternate, so that none reaches the rate limit of its commands. */
const COMMANDERS = 1_024
const SECONDS = 2
const PROFILE_SECONDS = 5

/** That many of the values, evenly spread. */
function evenly<T>(values: T[], count: number): T[] {
  const step = Math.floor(values.length / count)
  return values.filter((_, at) => at % step === 0).slice(0, count)
}

async function shapesOf(
  targets: Targets,
  cookies: string[],
): Promise<Record<string, [Target, LoadRequest[][]]>> {
  const { product, fastify, koa, ok } = targets
  const reading = cookies.slice(0, CONNECTIONS)
  const status = readers('/api/mining/status', reading)
  const wallet = readers('/api/wallet', reading)
  return {
    'product, status': [product, status],
    'Fastify, status': [fastify, status],
    'bare Koa, status': [koa, status],
    'product, wallet': [product, wallet],
    'Fastify, wallet': [fastify, wallet],
    'bare Koa, wallet': [koa, wallet],
    'product, unchanged status (304)': [
      product,
      await pollers(product.url, '/api/mining/status', reading),
    ],
    'product, stop and start': [product, commanders(CONNECTIONS, cookies.slice(CONNECTIONS))],
    'bare Koa "ok"': [ok, status],
  }
}

/** Reads and commands of the product beside bare servers with the same session and SQL. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  await buildRoles()
  const servers = await benchServers()
  const db = servers.pool(2)
  const ids = await insertMiningMembers(db, MEMBERS)
  const cookies = await signInMembers(productEnv(servers), evenly(ids, CONNECTIONS + COMMANDERS))
  const targets = await startTargets(servers)
  const load = await startLoadGenerator()
  const measure = measurer(servers, load, quick ? 1 : SECONDS)
  const measured: Record<string, Measurement[]> = {}
  try {
    const shapes = Object.entries(await shapesOf(targets, cookies)).map(([name, shape]) => [
      name,
      async () => {
        const measurement = await measure(...shape)
        log(`${name}: ${Math.round(measurement.perSecond)} requests/s`)
        measured[name] = [...(measured[name] ?? []), measurement]
        return measurement.perSecond
      },
    ])
    await interleave(Object.fromEntries(shapes), { rounds })
    await assertCleanAudit(db)
    const status = readers('/api/mining/status', cookies.slice(0, CONNECTIONS))
    const profile = await profileTable(servers, load, quick ? 1 : PROFILE_SECONDS, status)
    return {
      part: 'reads',
      title: 'Reads and commands over HTTP',
      tables: [...readTables(measured, rounds), profile],
      notes: [
        `${CONNECTIONS} keep-alive connections, each for one of ${MEMBERS.toLocaleString('en')} members, ${SECONDS} s a round; commands for ${COMMANDERS} members. One gateway process with production settings, autocannon as its own process.`,
        'Fastify and bare Koa verify the same signed cookie, read the same sign-in from Redis and send the same SQL as a prepared statement of `pg`, without rate limits, security headers, metrics or error answers (`trials/bench/reads/peer-process.ts`).',
      ],
    }
  } finally {
    load.stop()
    await targets.stop()
    await servers.stop()
  }
}
