import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { audit } from '#db/ledger/audit'
import { runCommand } from '#db/members/run-command'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { databaseAt, ensureDatabase } from '#db/postgres/connection/admin'
import { connect } from '#db/postgres/connection/connect'
import { migrate } from '#db/postgres/schema/migrate'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { advance, freeze } from '#db/testing/clock'
import { insertMembers } from '#db/testing/members'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { lanes } from '#trials/bench/credits/lanes'
import { populate } from '#trials/bench/credits/population'
import { sweepAll } from '#trials/bench/credits/sweep'
import { cpuSeconds } from '#trials/bench/harness/figures/process-figures'
import { CitusCluster } from '#trials/citus/citus-cluster'
import { postgresPrograms } from '#trials/recovery/debian-postgres'
import { PostgresServer } from '#trials/recovery/postgres-server'

export type CompareOptions = {
  members: number
  rounds: number
  commands: number
  /** Shards of Citus, over two nodes. */
  shards: number
}

/** Figures a second of one round, and CPU time of all processes for each, µs. */
type Round = { credits: number; commands: number; creditCpu: number; commandCpu: number }
export type Comparison = Record<'plain' | 'citus', Round[]>

const MEMORY = ['shared_buffers=256MB', 'max_wal_size=4GB']
/** Connections that sweep and that send commands at a time. */
const CONNECTIONS = 2

type Side = { db: Db; servers: PostgresServer[] }
type Command = (tx: Tx, memberId: number) => Promise<unknown>

/** What `work` returns, its wall time in seconds, and the CPU seconds of the servers and this process. */
async function measured<T>({ servers }: Side, work: () => Promise<T>) {
  const cpuOfServers = () => servers.reduce((total, { pid }) => total + cpuSeconds(pid), 0)
  const before = cpuOfServers()
  const [start, usage] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const [end, { user, system }] = [performance.now(), process.cpuUsage(usage)]
  const cpu = cpuOfServers() - before + (user + system) / 1e6
  return { result, seconds: (end - start) / 1_000, cpu }
}

/** Each of the members sends the command, with its key and lock as the gateway runs it. */
const send = (side: Side, members: number[], command: Command) =>
  measured(side, () =>
    lanes(CONNECTIONS, members, async (memberId) => {
      const { name } = command
      const request = { signIn: { memberId, epoch: 0 }, route: name, key: name }
      await inTransaction(side.db, (tx) => runCommand(tx, request, () => command(tx, memberId)))
    }),
  )

/** A start, a stop after a minute and a claim of each of `count` new members. */
async function runCommands(side: Side, count: number) {
  const members = await insertMembers(side.db, count)
  const started = await send(side, members, startMining)
  await advance(side.db, MINUTE_MS)
  const parts = [
    started,
    await send(side, members, stopMining),
    await send(side, members, claimRewards),
  ]
  const total = (figure: 'seconds' | 'cpu') => parts.reduce((sum, part) => sum + part[figure], 0)
  const commands = 3 * count
  return {
    commands: commands / total('seconds'),
    commandCpu: (total('cpu') / commands) * 1e6,
  }
}

async function measure(side: Side, { commands }: CompareOptions): Promise<Round> {
  await advance(side.db, INTERVAL_MS)
  const {
    result: credits,
    seconds,
    cpu,
  } = await measured(side, () => sweepAll(side.db, CONNECTIONS))
  const creditCpu = (cpu / credits) * 1e6
  return { credits: credits / seconds, creditCpu, ...(await runCommands(side, commands)) }
}

/**
 * Sweeps and commands on plain Postgres and on three nodes of Citus with the same programs, settings and
 * cores, in interleaved rounds. Both end with a clean audit.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-citus-'))
  fs.chmodSync(folder, 0o755)
  const cluster = await CitusCluster.start(folder, { settings: MEMORY, shards: options.shards })
  const plain = await PostgresServer.create(postgresPrograms() ?? '', path.join(folder, 'plain'), {
    auth: 'trust',
  })
  await plain.start(MEMORY)
  const urls = {
    plain: await ensureDatabase(databaseAt(plain.adminUrl, 'postgres'), 'tesp'),
    citus: await cluster.createDatabase('tesp'),
  }
  const sides = ['plain', 'citus'] as const
  const servers = { plain: [plain], citus: cluster.nodes }
  const pools = { plain: connect(urls.plain), citus: connect(urls.citus) }
  const rounds: Comparison = { plain: [], citus: [] }
  try {
    for (const side of sides) {
      await migrate(urls[side])
      await freeze(pools[side])
      await populate(pools[side], options.members)
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const side of round % 2 ? sides.toReversed() : sides) {
        const one = { db: pools[side], servers: servers[side] }
        rounds[side].push(await measure(one, options))
      }
    }
    for (const side of sides) {
      const { problems } = await audit(pools[side])
      if (problems.length > 0) throw new Error(`${side}: ${JSON.stringify(problems).slice(0, 500)}`)
    }
    return rounds
  } finally {
    for (const pool of Object.values(pools)) await pool.destroy()
    await plain.crash()
    await cluster.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
