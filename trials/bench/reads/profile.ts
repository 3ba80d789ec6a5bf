import fs from 'node:fs'
import path from 'node:path'
import { freePort } from '#runtime/config/free-port'
import { profileShares } from '#trials/bench/harness/figures/cpu-profile'
import { productEnv } from '#trials/bench/harness/product-env'
import { startRole } from '#trials/bench/harness/role'
import type { BenchServers } from '#trials/bench/harness/servers'
import type { LoadGenerator, LoadRequest } from '#trials/bench/load/load'
import type { BenchTable } from '#trials/bench/result'

/** Groups with a row of their own; all others are added up. */
const SHOWN = 14

/** Where a gateway's CPU time goes while it answers these requests, by package and folder. */
export async function profileTable(
  servers: BenchServers,
  load: LoadGenerator,
  seconds: number,
  connections: LoadRequest[][],
): Promise<BenchTable> {
  const folder = path.join(servers.folder, 'profile')
  const port = String(await freePort())
  const gateway = await startRole('gateway', productEnv(servers, { PORT: port }), [
    '--cpu-prof',
    `--cpu-prof-dir=${folder}`,
    '--import',
    'tsx',
    // Not the bundle: the profile names the module of each function.
    'gateway/main.ts',
  ])
  await load.run({ url: `http://127.0.0.1:${port}`, seconds, connections })
  await gateway.stop()
  const shares = fs
    .readdirSync(folder)
    .map((file) => path.join(folder, file))
    // tsx compiles in a thread with a small profile of its own.
    .sort((a, b) => fs.statSync(b).size - fs.statSync(a).size)
    .slice(0, 1)
    .flatMap((file) => profileShares(file, gateway.startMs))
  const others = shares.slice(SHOWN).reduce((sum, [, percent]) => sum + percent, 0)
  return {
    id: 'profile',
    title: 'Where the CPU time of a status request goes in the gateway',
    unit: '%',
    higherIsBetter: false,
    rows: [...shares.slice(0, SHOWN), ['all others', others] as const].map(([label, percent]) => ({
      label,
      values: [percent],
    })),
  }
}
