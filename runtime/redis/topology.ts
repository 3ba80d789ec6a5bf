export type RedisNode = { host: string; port: number }

/** `tls` also applies to Sentinels, which watch the master under the name `master`. */
export type RedisTopology = ReturnType<typeof parseRedisUrl>

/** The message continues a sentence that begins with the setting's name. */
export class RedisUrlError extends Error {}

const FORMS = 'redis://, rediss://, redis+sentinel:// or redis+cluster://'
const SEVERAL =
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<login>[^@]*)@)?(?<hosts>[^/?#@]*)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/
const DEFAULT_PORT = { sentinel: 26_379, cluster: 6_379 }

/**
 * Reads a `REDIS_URL`:
 * - `redis://[user:password@]host:port[/db]`
 * - `redis+sentinel://[user:password@]host:port,host:port/master-name[/db][?sentinelPassword=…]`
 * - `redis+cluster://[user:password@]host:port,host:port`
 *
 * `rediss` in place of `redis` encrypts the connections. Reserved characters are percent-encoded.
 * @throws {RedisUrlError} whose message contains no password
 */
export function parseRedisUrl(text: string) {
  const groups = SEVERAL.exec(text)?.groups
  if (!groups) {
    const isOne = URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)
    if (!isOne) throw new RedisUrlError(`is not a ${FORMS} URL`)
    return { kind: 'single' as const, url: text }
  }
  const { scheme, login = '', hosts = '', path = '', query = '' } = groups
  const kind = groups.kind === 'sentinel' ? 'sentinel' : 'cluster'
  const nodes = hosts.split(',').map((host) => nodeOf(host, DEFAULT_PORT[kind]))
  const access = { ...accessOf(login), tls: scheme === 'rediss' }
  const parameters = new URLSearchParams(query)
  const sentinelPassword = parameters.get('sentinelPassword') ?? undefined
  if (kind === 'sentinel') parameters.delete('sentinelPassword')
  const [unknown] = parameters.keys()
  if (unknown) throw new RedisUrlError(`has the unknown parameter "${unknown}": leave it out`)
  if (kind === 'sentinel') {
    return { kind: 'sentinel' as const, nodes, ...access, ...masterOf(path), sentinelPassword }
  }
  if (path !== '' && path !== '0') {
    throw new RedisUrlError(`names the database "${path}": a cluster has database 0 only`)
  }
  return { kind: 'cluster' as const, nodes, ...access }
}

function nodeOf(text: string, defaultPort: number): RedisNode {
  // A URL of one host checks port and IPv6 address.
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined
  if (!url?.hostname) {
    throw new RedisUrlError(`names the server "${text}": write it like host:${defaultPort}`)
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port ? Number(url.port) : defaultPort,
  }
}

function accessOf(login: string) {
  const [username, password] = login.split(/:(.*)/s).map(decoded)
  return { username: username || undefined, password: password || undefined }
}

function masterOf(path: string): { master: string; db: number } {
  const [master = '', db = '0', ...rest] = path.split('/').map(decoded)
  if (!master) throw new RedisUrlError('names no master: end it with /master-name')
  if (!/^\d{1,5}$/.test(db) || rest.length > 0) {
    throw new RedisUrlError('has no database number after the name of the master: write /name/0')
  }
  return { master, db: Number(db) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RedisUrlError('has a "%" that begins no percent-encoded character: write it as %25')
  }
}
