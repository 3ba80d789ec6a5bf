import { setTimeout as sleep } from 'node:timers/promises'
import { type Crowd, startCrowd } from '#trials/kit/crowd'
import type { TrialReport } from '#trials/kit/report'
import { largestShare } from './evenness.ts'
import type { Fleet } from './fleet.ts'

/** All lost sockets are open again within this time after their gateway ended. */
const BACK_WITHIN_MS = 10_000
const POLL_MS = 100
/** Until the figures of a crowd, which it sends each 100 ms, show that sockets were lost. */
const NOTICED_MS = 500
/** Requests share the round robin with sockets, so that it does not give each gateway the same number. */
const LARGEST_SHARE = 1.5

const socketsOf = async (fleet: Fleet) =>
  (await fleet.figures('gateway', 'sockets_open')).map((sockets) => sockets ?? 0)

/** Seconds until `crowd` has as many open sockets as wanted. */
async function untilConnected(crowd: Crowd, wanted: number): Promise<number> {
  const startedAt = performance.now()
  const passed = () => performance.now() - startedAt
  while ((await crowd.figures()).connected !== wanted) {
    if (passed() > 6 * BACK_WITHIN_MS) {
      throw new Error(`${(await crowd.figures()).connected} of ${wanted} sockets are open`)
    }
    await sleep(POLL_MS)
  }
  return passed() / 1_000
}

/** Opens sockets through the round robin and reports how many each gateway got. */
export async function openSockets(
  fleet: Fleet,
  report: TrialReport,
  { cookies, sockets }: { cookies: string[]; sockets: number },
): Promise<Crowd> {
  const before = await socketsOf(fleet)
  const crowd = startCrowd({ urls: [fleet.url], cookies, sockets, longestDelayMs: 2_000 })
  await untilConnected(crowd, sockets)
  const opened = (await socketsOf(fleet)).map((now, at) => now - (before[at] ?? 0))
  const name = `${sockets} new sockets, ${opened.length} gateways`
  report.fact(`${name}: of each gateway`, opened.join(', '))
  const isEven = largestShare(opened) <= LARGEST_SHARE / opened.length
  report.expect(`${name}: no gateway has more than 1.5 times its share`, isEven, true)
  return crowd
}

/** Changes the number of gateways and reports how their sockets come back. */
export async function changeGateways(
  fleet: Fleet,
  report: TrialReport,
  crowds: { crowd: Crowd; sockets: number }[],
  { to, signal = 'SIGTERM' }: { to: number; signal?: NodeJS.Signals },
): Promise<void> {
  const name = `gateways ${fleet.count('gateway')} to ${to}${signal === 'SIGKILL' ? ', killed' : ''}`
  await report.step(name, () => fleet.scale('gateway', to, signal))
  await sleep(NOTICED_MS)
  const back = Math.max(
    ...(await Promise.all(crowds.map(({ crowd, sockets }) => untilConnected(crowd, sockets)))),
  )
  report.expect(
    `${name}: all sockets are open again within 10 s`,
    back * 1_000 + NOTICED_MS <= BACK_WITHIN_MS,
    true,
  )
  report.fact(`${name}: after, s`, (back + NOTICED_MS / 1_000).toFixed(1))
  report.fact(`${name}: sockets of each gateway`, (await socketsOf(fleet)).join(', '))
}
