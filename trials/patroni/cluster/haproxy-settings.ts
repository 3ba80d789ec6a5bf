import type { PatroniNode } from './patroni-node.ts'

/** One port of HAProxy: where it sends connections is decided by Patroni's answer to the check. */
const section = (name: string, port: number, check: string, nodes: PatroniNode[]) => [
  `listen ${name}`,
  `  bind 127.0.0.1:${port}`,
  '  option httpchk',
  `  http-check send meth OPTIONS uri ${check}`,
  '  http-check expect status 200',
  '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
  ...nodes.map(({ name, place }) => {
    return `  server ${name} 127.0.0.1:${place.postgresPort} check port ${place.restPort}`
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
