import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { p95, startCrowd } from '#trials/kit/crowd'
import { signedInMembers } from '#trials/kit/seed'
import { ownServers } from '#trials/kit/servers'
import { Stage } from '#trials/kit/stage'

/**
 * Cost of a restart of all gateways: thousands of sockets close together, reconnect with the client's
 * delays, and each reads the mining status when it is open. Two gateways, one workers process, the
 * crowd, Postgres and Valkey share this machine.
 *
 *   node --import tsx gateway/bench/reconnect.bench.ts [sockets] [rounds]
 */
const sockets = Number(process.argv[2] ?? 5_000)
const rounds = Number(process.argv[3] ?? 3)
const SOCKETS_PER_MEMBER = 20

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-reconnect-'))
const servers = await ownServers()
const stage = await Stage.start(servers, {
  secrets: developmentSecrets(folder),
  env: { DATABASE_POOL: '10' },
})
const gateways = [stage.gateway(0), stage.gateway(1)]
const { urls } = stage.product
const members = await signedInMembers(stage.product, Math.ceil(sockets / SOCKETS_PER_MEMBER))
const cookies = members.map(({ jar }) => jar.header() ?? '')
const crowd = startCrowd({ urls, cookies, sockets, longestDelayMs: 15_000 })
const seconds = (ms: number) => Number((ms / 1_000).toFixed(1))

const isConnected = async (count: number) => (await crowd.figures()).connected === count

/** Polls until the condition holds; returns the time that took, ms. */
async function until(condition: () => Promise<boolean>, limitMs = 180_000): Promise<number> {
  const since = Date.now()
  while (!(await condition())) {
    if (Date.now() - since > limitMs) {
      throw new Error(`timed out with ${(await crowd.figures()).connected} sockets connected`)
    }
    await sleep(50)
  }
  return Date.now() - since
}

/** Latencies of a member without a socket who reads the status until `isOver`, ms. */
async function pollStatus(isOver: () => boolean): Promise<number[]> {
  const latenciesMs: number[] = []
  for (let n = 0; !isOver(); n++) {
    const sentAt = Date.now()
    await members[0]?.call('GET /api/mining/status', { gateway: n % urls.length })
    latenciesMs.push(Date.now() - sentAt)
    await sleep(50)
  }
  return latenciesMs
}

const table: Record<string, number>[] = []
try {
  for (let round = 0; round < rounds; round++) {
    await until(() => isConnected(sockets))
    await sleep(2_000)
    const stoppedAt = Date.now()
    await Promise.all(gateways.map((gateway) => gateway.stop('SIGTERM')))
    await until(() => isConnected(0))
    await crowd.reset()
    await Promise.all(gateways.map((gateway) => gateway.start()))
    const downMs = Date.now() - stoppedAt
    let isReconnected = false
    const polling = pollStatus(() => isReconnected)
    const reconnectMs = await until(() => isConnected(sockets))
    isReconnected = true
    await until(async () => {
      const { latenciesMs, lost } = await crowd.figures()
      return latenciesMs.length + lost >= sockets
    })
    const { latenciesMs, attempts, errors, lost } = await crowd.figures()
    table.push({
      sockets,
      'down, s': seconds(downMs),
      'all reconnected after, s': seconds(reconnectMs),
      attempts,
      "another member's REST p95, s": seconds(p95(await polling)),
      'own REST p95, s': seconds(p95(latenciesMs)),
      'own REST slowest, s': seconds(Math.max(...latenciesMs)),
      'not 200': errors,
      lost,
    })
  }
  console.table(table)
} finally {
  crowd.stop()
  await stage.stop()
  await servers.drop()
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
