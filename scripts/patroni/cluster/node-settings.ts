import path from 'node:path'

/** What one node of the cluster needs to know. Ports are of 127.0.0.1. */
export type NodePlace = {
  name: string
  folder: string
  /** Folder of PostgreSQL's programs. */
  programs: string
  postgresPort: number
  restPort: number
  etcdPort: number
  passwords: { superuser: string; replication: string; rewind: string }
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

/** Patroni's settings of a node, as JSON, which is YAML too. */
export function nodeSettings(place: NodePlace): string {
  const { name, folder, programs, postgresPort, restPort, etcdPort, passwords } = place
  const address = (port: number) => `127.0.0.1:${port}`
  return JSON.stringify({
    scope: 'tesp',
    name,
    restapi: { listen: address(restPort), connect_address: address(restPort) },
    etcd3: { host: address(etcdPort) },
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
        // Processes are killed, the machine is not: what was written is still in its page cache.
        fsync: 'off',
      },
    },
  })
}
