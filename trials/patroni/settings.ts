import path from 'node:path'
import type { PatroniNode } from './patroni-node.ts'

export type NodePlace = {
  name: string
  folder: string
  programs: string
  postgresPort: number
  restPort: number
  etcdPort: number
  passwords: { superuser: string; replication: string; rewind: string }
  /** Its group of servers in a database that Citus distributes: 0 is the coordinator's. */
  citusGroup?: number
}

/** As docs/operations/postgres-failover.md recommends. */
export const CLUSTER_SETTINGS = {
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  primary_start_timeout: 10,
  synchronous_mode: true,
}

/** Settings of PostgreSQL on the servers of Citus, as the same page recommends. */
export const CITUS_SETTINGS = {
  max_connections: 300,
  'citus.recover_2pc_interval': '1s',
  'citus.node_connection_timeout': '3s',
}

/** Patroni's settings of a node, as JSON, which is YAML too. */
export function nodeSettings(place: NodePlace): string {
  const { name, folder, programs, postgresPort, restPort, etcdPort, passwords, citusGroup } = place
  const address = (port: number) => `127.0.0.1:${port}`
  return JSON.stringify({
    scope: 'tesp',
    name,
    restapi: { listen: address(restPort), connect_address: address(restPort) },
    // Not `etcd3`: before 3.1.0 an unfrozen primary overwrites the lock of its successor there.
    etcd: { host: address(etcdPort) },
    // Patroni installs the extension and joins the groups.
    ...(citusGroup !== undefined && { citus: { group: citusGroup, database: 'tesp' } }),
    bootstrap: {
      dcs: {
        ...CLUSTER_SETTINGS,
        postgresql: { use_pg_rewind: true, use_slots: true },
      },
      initdb: ['data-checksums', 'no-sync', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: address(postgresPort),
      connect_address: address(postgresPort),
      data_dir: path.join(folder, 'data'),
      bin_dir: programs,
      pgpass: path.join(folder, 'pgpass'),
      basebackup: ['no-sync', { checkpoint: 'fast' }],
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
        rewind: { username: 'rewinder', password: passwords.rewind },
      },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      parameters: {
        unix_socket_directories: folder,
        max_connections: 100,
        ...(citusGroup !== undefined && { ...CITUS_SETTINGS, 'citus.shard_count': 8 }),
        // Processes are killed, the machine is not: what was written is still in its page cache.
        fsync: 'off',
      },
    },
  })
}

/** One port of HAProxy: where it sends connections is decided by Patroni's answer to the check. */
const section = (name: string, port: number, check: string, nodes: PatroniNode[]) => [
  `listen ${name}`,
  `  bind 127.0.0.1:${port}`,
  '  option httpchk',
  `  http-check send meth OPTIONS uri ${check}`,
  '  http-check expect status 200',
  '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
  ...nodes.map(({ place }) => {
    return `  server ${place.name} 127.0.0.1:${place.postgresPort} check port ${place.restPort}`
  }),
]

/** As docs/operations/postgres-failover.md recommends: a port for the primary, one for replicas. */
export function haproxySettings(
  ports: { primary: number; replicas: number },
  nodes: PatroniNode[],
): string {
  return [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  timeout check 2s',
    ...section('primary', ports.primary, '/primary', nodes),
    ...section('replicas', ports.replicas, '/replica?lag=16MB', nodes),
    '',
  ].join('\n')
}
