import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { populate } from '#trials/bench/credits/population'
import { benchServers } from '#trials/bench/harness/servers'
import { startLoad } from '#trials/kit/load'
import { signedInMembers } from '#trials/kit/seed'
import type { Trial } from '#trials/kit/trial'
import { changeWorkers } from './credit-balance.ts'
import { Fleet } from './fleet.ts'
import { changeGateways, openSockets } from './socket-balance.ts'
import { measureSweepCost } from './sweep-cost.ts'

/** Members who mine. */
const MINING = 12_000
/** Speed of product time: 50 credits a second while costs are measured, 200 while processes change. */
const SPEEDS = { cost: 5, change: 20 }
/** Members whose sockets the gateways hold, and members who send random commands. */
const SIGNED_IN = 20
const PLAYERS = 6
const SOCKETS = 180

/** `only` takes one half of the trial: what sweeps cost, or the changes of the fleet. */
export type FleetOptions = { rounds: number; seconds: number; only?: string | undefined }

/**
 * Eight workers and six gateways on one machine, added and removed in use: how load is shared, what
 * sweeps cost, and that nothing is paid twice or lost.
 */
export async function tryFleet(
  { report, folder, defer }: Trial,
  { rounds, seconds, only }: FleetOptions,
): Promise<void> {
  const servers = await benchServers()
  defer(() => servers.stop())
  const { databaseUrl: url, redisUrl, pids } = servers
  const place = { url, redisUrl, redisPrefix: 'fleet' }
  const secrets = developmentSecrets(folder)
  const fleet = await Fleet.start(place, { secrets, speed: SPEEDS.cost })
  defer(() => fleet.stop())
  await report.step(`${MINING} members mine`, () => populate(fleet.stage.product.db, MINING))
  if (only !== 'changes') {
    await measureSweepCost(fleet, report, { redisUrl, pids, rounds, seconds })
  }
  if (only !== 'cost') await changeFleet(fleet, report, defer)
  report.check('processes that ended by themselves', await fleet.unexpectedExits())
}

/** Adds, terminates and kills processes while members send commands and hold sockets. */
async function changeFleet(
  fleet: Fleet,
  report: Trial['report'],
  defer: Trial['defer'],
): Promise<void> {
  const { product } = fleet.stage
  await setClockSpeed(product.db, SPEEDS.change)
  await report.step('2 workers and 2 gateways', async () => {
    await fleet.scale('workers', 2)
    await fleet.scale('gateway', 2)
  })
  const cookies = (await signedInMembers(product, SIGNED_IN)).map(({ jar }) => jar.header() ?? '')
  const load = await startLoad(product, PLAYERS, 29)
  const sockets = SOCKETS
  const first = await openSockets(fleet, report, { cookies, sockets })
  defer(() => first.stop())
  const crowds = [{ crowd: first, sockets }]
  await changeGateways(fleet, report, crowds, { to: 6 })
  const second = await openSockets(fleet, report, { cookies, sockets })
  defer(() => second.stop())
  crowds.push({ crowd: second, sockets })
  await changeWorkers(fleet, report, { to: 8 })
  await changeGateways(fleet, report, crowds, { to: 3 })
  await changeWorkers(fleet, report, { to: 3 })
  await changeGateways(fleet, report, crowds, { to: 6 })
  await changeWorkers(fleet, report, { to: 8 })
  await changeGateways(fleet, report, crowds, { to: 4, signal: 'SIGKILL' })
  await changeWorkers(fleet, report, { to: 4, signal: 'SIGKILL' })

  const problems = await report.step(
    'everything due is credited',
    () => load.stop(),
    () => 'done',
  )
  const answers = Object.values(load.tally.responses).reduce((sum, count) => sum + count, 0)
  report.fact('answers to members who send commands', answers)
  report.fact('requests repeated because a gateway ended', load.tally.lost + load.tally.unavailable)
  report.fact(
    'reads of returning sockets that were refused',
    (await first.figures()).errors + (await second.figures()).errors,
  )
  report.check('failed requests, violated rules of the audit', problems)
}
