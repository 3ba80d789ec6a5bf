import path from 'node:path'
import { withClient } from '#db/postgres/connection/pool'
import { databaseAt } from '#scripts/embedded/create-database'
import { PostgresServer } from '#trials/kit/postgres'

const HOST = '127.0.0.1'

const portOf = (url: string) => Number(new URL(url).port)

const install = (server: string, name: string) =>
  withClient(databaseAt(server, name), (client) => client.query('create extension citus'))

/** Installs Citus in the database `name` of all servers, given by their administration URLs, and joins them. */
export async function joinNodes(
  coordinator: string,
  workers: string[],
  name: string,
): Promise<string> {
  await install(coordinator, name)
  const url = databaseAt(coordinator, name)
  await withClient(url, (client) =>
    client.query('select citus_set_coordinator_host($1, $2)', [HOST, portOf(coordinator)]),
  )
  for (const worker of workers) await addNode(coordinator, worker, name)
  return url
}

export async function addNode(coordinator: string, worker: string, name: string): Promise<void> {
  await install(worker, name)
  await withClient(databaseAt(coordinator, name), (client) =>
    client.query('select citus_add_node($1, $2)', [HOST, portOf(worker)]),
  )
}

type CitusOptions = {
  workers?: number
  /** Shards of each distributed table. */
  shards: number
  /** False: nothing is flushed to disk, so a crash of the machine may lose commits. */
  durable?: boolean
}

const settingsOf = ({ shards, durable = true }: CitusOptions) => [
  'shared_preload_libraries=citus',
  `citus.shard_count=${shards}`,
  'wal_level=logical',
  'max_connections=300',
  'max_prepared_transactions=300',
  'max_worker_processes=32',
  'timezone=UTC',
  // Prepared transactions of a node that died are resolved by the coordinator, 60 s later by default.
  'citus.recover_2pc_interval=1s',
  // The check fails on a node that has just been restarted.
  'citus.check_available_space_before_move=off',
  // `synchronous_commit` stays on: a move by logical replication would lose commits that are not written yet.
  ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
]

/** A coordinator and its worker nodes on the loopback interface. The coordinator holds no shards. */
export class CitusCluster {
  private constructor(
    readonly coordinator: PostgresServer,
    readonly workers: PostgresServer[],
    private readonly settings: string[],
  ) {}

  static async start(folder: string, options: CitusOptions): Promise<CitusCluster> {
    const names = Array.from({ length: options.workers ?? 2 }, (_, n) => `worker${n}`)
    const [coordinator, ...workers] = await Promise.all(
      ['coordinator', ...names].map((name) =>
        PostgresServer.create(path.join(folder, name), { auth: 'trust' }),
      ),
    )
    if (!coordinator) throw new Error('no coordinator')
    const cluster = new CitusCluster(coordinator, workers, settingsOf(options))
    await Promise.all(cluster.nodes.map((node) => cluster.startNode(node)))
    return cluster
  }

  get nodes(): PostgresServer[] {
    return [this.coordinator, ...this.workers]
  }

  startNode(node: PostgresServer): Promise<void> {
    return node.start(this.settings)
  }

  /** Creates a database on every node and joins these workers in it; returns its URL on the coordinator. */
  async createDatabase(name: string, workers = this.workers): Promise<string> {
    for (const { adminUrl } of this.nodes) {
      await withClient(adminUrl, (client) => client.query(`create database ${name}`))
    }
    const urls = workers.map(({ adminUrl }) => adminUrl)
    return joinNodes(this.coordinator.adminUrl, urls, name)
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.crash()))
  }
}
