import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { p95, startCrowd } from '#scripts/chaos/crowd/crowd'
import { ownServers } from '#scripts/chaos/own-servers'
import { signedInMembers } from '#scripts/chaos/signed-in'
import { Stage } from '#scripts/chaos/stage'
import { developmentSecrets } from '#scripts/process/secrets'

/**
 * Cost of a restart of all gateways: thousands of sockets disconnect at once, reconnect with the
 * client's delays, and each then fetches the mining status. Two gateways, one workers process, the
 * clients, Postgres and Valkey share this machine.
 *
 *   node --import tsx gateway/bench/reconnect.bench.ts [sockets] [rounds]
 */
const sockets = Number(process.argv[2] ?? 5_000)
const rounds = Number(process.argv[3] ?? 3)
const SOCKETS_PER_MEMBER = 20

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-reconnect-'))
const servers = await ownServers()
const env = { DATABASE_POOL: '10' }
const stage = await Stage.set(servers, { secrets: developmentSecrets(folder), env })
const { urls } = stage.product
const members = await signedInMembers(stage.product, Math.ceil(sockets / SOCKETS_PER_MEMBER))
const cookies = members.map(({ jar }) => jar.header() ?? '')
const crowd = startCrowd({ urls, cookies, sockets, longestDelayMs: 15_000 })
const seconds = (ms: number) => Number((ms / 1_000).toFixed(1))

async function until(isTrue: () => boolean, limitMs = 180_000): Promise<number> {
  const since = Date.now()
  while (!isTrue()) {
    if (Date.now() - since > limitMs) throw new Error(JSON.stringify(crowd.figures().connected))
    await sleep(50)
  }
  return Date.now() - since
}

/** Response times (ms) of a member who is not reconnecting, measured until it is over. */
async function measureRest(isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; !isOver(); n++) {
    const startedAt = Date.now()
    await members[0]?.call('GET /api/mining/status', { gateway: n % urls.length })
    times.push(Date.now() - startedAt)
    await sleep(50)
  }
  return times
}

const table: Record<string, number>[] = []
try {
  for (let round = 0; round < rounds; round++) {
    await until(() => crowd.figures().connected === sockets)
    await sleep(2_000)
    const lostAt = Date.now()
    await Promise.all(urls.map((_, n) => stage.endGateway(n, 'SIGTERM')))
    await until(() => crowd.figures().connected === 0)
    crowd.forget()
    await Promise.all(urls.map((_, n) => stage.startGateway(n)))
    const awayMs = Date.now() - lostAt
    let isBack = false
    const restTimes = measureRest(() => isBack)
    const backMs = await until(() => crowd.figures().connected === sockets)
    isBack = true
    await until(() => crowd.figures().restMs.length + crowd.figures().lost >= sockets)
    const { restMs, tries, wrongAnswers, lost } = crowd.figures()
    table.push({
      sockets,
      'away, s': seconds(awayMs),
      'all back after, s': seconds(backMs),
      tries,
      "another's REST p95, s": seconds(p95(await restTimes)),
      'own REST p95, s': seconds(p95(restMs)),
      'own slowest, s': seconds(Math.max(...restMs)),
      'not 200': wrongAnswers,
      lost,
    })
  }
  console.table(table)
} finally {
  crowd.leave()
  await stage.stop()
  await servers.drop()
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
