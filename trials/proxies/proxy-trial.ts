import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#db/migrations/migrate'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { buildClient } from '#scripts/build/build-client'
import { startEmbedded } from '#scripts/embedded/servers'
import { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'
import type { Certificate } from './certificate.ts'
import { expectPush, type Guest, stayAround, visit } from './journey.ts'
import { PlannedProxy, type ProxyName } from './proxy-process.ts'

/** Longer than every idle limit of the documented configurations. */
const IDLE_MS = 62_000
/** Time between a restart and the next, for the proxies to find the gateway again. */
const SETTLE_MS = 3_000

/**
 * Runs each installed proxy with its documented configuration before two gateways and drives a
 * member's journey through it.
 */
export async function tryProxies(
  { report, folder, defer }: Trial,
  names: ProxyName[],
  certificate: Certificate,
): Promise<void> {
  await buildClient()
  const dataDir = path.join(folder, 'servers')
  const servers = await startEmbedded({ dataDir, durable: false, log: console.error })
  defer(() => servers.stop())
  await migrate(servers.databaseUrl)
  const planned = await Promise.all(names.map((name) => PlannedProxy.plan(name)))
  const place = { url: servers.databaseUrl, redisUrl: servers.redisUrl, redisPrefix: 'proxies' }
  const stage = await Stage.start(place, {
    secrets: developmentSecrets(dataDir),
    env: {
      PUBLIC_ORIGIN: planned.map(({ url }) => url).join(),
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'info',
    },
  })
  defer(() => stage.stop())
  const guests: Guest[] = []
  for (const plan of planned) {
    const proxy = await plan.start(path.join(folder, plan.name), {
      ...certificate,
      gateways: stage.ports,
    })
    defer(() => proxy.stop())
    report.fact(plan.name, proxy.version)
    guests.push(await visit(report, stage, proxy))
  }

  let closed = 0
  for (const { socket } of guests) socket.on('disconnect', () => closed++)
  await report.step(
    'sockets without a push for 62 s',
    () => sleep(IDLE_MS),
    () => `${closed} closed`,
  )
  report.expect('sockets closed while idle', closed, 0)
  for (const guest of guests) {
    await report.step(`${guest.proxy.name}: a command is pushed after it`, () => expectPush(guest))
  }

  let isRunning = true
  const around = guests.map((guest) => stayAround(guest, () => isRunning))
  await report.step('both gateways restart, one after the other', async () => {
    await sleep(1_000)
    for (const index of [0, 1]) {
      await stage.gateway(index).restart({})
      await sleep(SETTLE_MS)
    }
  })
  isRunning = false
  const sights = await Promise.all(around)
  for (const [index, guest] of guests.entries()) {
    const { name } = guest.proxy
    const seen = sights[index]
    if (!seen) continue
    report.fact(`${name}: requests meanwhile`, seen.requests)
    report.check(`${name}: failed requests`, seen.failures)
    report.fact(`${name}: sockets opened again`, seen.socketsLost)
    report.fact(`${name}: longest time without a socket`, `${seen.awayMs} ms`)
    await report.step(`${name}: a command is pushed at the end`, () => expectPush(guest))
    guest.member.disconnect()
  }
  report.check('processes that ended by themselves', await stage.unexpectedExits())
}
