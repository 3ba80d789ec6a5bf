import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const VERSIONS = '/usr/lib/postgresql'
const OLDEST = { postgres: 15, redis: 7 }

/** What a program prints about its version; undefined if it is not installed or fails. */
export function versionOf(program: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args.length > 0 ? args : ['--version'], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout : undefined
}

const isRedis = (program: string) => {
  const [, major] = /(?:v=|redis-cli )(\d+)/.exec(versionOf(program) ?? '') ?? []
  return Number(major) >= OLDEST.redis
}

/** Folder of the programs of the newest PostgreSQL that Debian's packages installed here. */
export function postgresPrograms(): string | undefined {
  if (!fs.existsSync(VERSIONS)) return undefined
  return fs
    .readdirSync(VERSIONS)
    .filter((version) => Number(version) >= OLDEST.postgres)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((bin) => fs.existsSync(path.join(bin, 'postgres')))
}

const isOnPath = (program: string) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    return fs.existsSync(path.join(folder, program))
  })

export const firefoxProgram = (): string | undefined => ['firefox-esr', 'firefox'].find(isOnPath)

/** The browser of WebKitGTK, which WebKitWebDriver starts; undefined if it is not installed. */
export function miniBrowser(): string | undefined {
  const libraries = fs.existsSync('/usr/lib') ? fs.readdirSync('/usr/lib') : []
  return libraries
    .flatMap((machine) => ['4.1', '4.0'].map((version) => `${machine}/webkit2gtk-${version}`))
    .map((folder) => path.join('/usr/lib', folder, 'MiniBrowser'))
    .find((program) => fs.existsSync(program))
}

export function composeProgram(): string[] | undefined {
  if (versionOf('docker', 'compose', 'version')) return ['docker', 'compose']
  return versionOf('docker-compose', 'version') ? ['docker-compose'] : undefined
}

/** GOPATH of Debian's packages of Go. */
export const GO_PATH = '/usr/share/gocode'
export const goProgram = (): string | undefined =>
  ['/usr/lib/go-1.19/bin/go', 'go'].find((each) => fs.existsSync(each) || isOnPath(each))

/** Whether `trials/kubernetes/helm-template.go` can be built. */
const canStandInForHelm = () =>
  goProgram() !== undefined &&
  ['github.com/Masterminds/sprig', 'gopkg.in/yaml.v3'].every((each) =>
    fs.existsSync(path.join(GO_PATH, 'src', each)),
  )

type Requirement = [isMet: () => boolean, install: string]

const REQUIREMENTS = {
  'redis-server 7': [
    () => ['redis-server', 'redis-cli'].every(isRedis),
    'apt-get install redis-server',
  ],
  pgbouncer: [() => versionOf('pgbouncer') !== undefined, 'apt-get install pgbouncer'],
  nginx: [() => versionOf('nginx', '-v') !== undefined, 'apt-get install nginx'],
  'PostgreSQL 15': [() => postgresPrograms() !== undefined, 'apt-get install postgresql'],
  'Citus 13': [
    () => fs.existsSync(path.join(postgresPrograms() ?? '', '../lib/citus.so')),
    'the package postgresql-<version>-citus-13.0 of https://repos.citusdata.com',
  ],
  Patroni: [
    () => [versionOf('patroni'), versionOf('etcd'), versionOf('haproxy', '-v')].every(Boolean),
    'apt-get install patroni etcd-server haproxy',
  ],
  Firefox: [() => firefoxProgram() !== undefined, 'apt-get install firefox-esr'],
  WebKit: [
    () => ['WebKitWebDriver', 'Xvfb', 'import'].every(isOnPath) && miniBrowser() !== undefined,
    'apt-get install webkit2gtk-driver xvfb imagemagick',
  ],
  'Prometheus with Alertmanager': [
    () => ['prometheus', 'prometheus-alertmanager', 'prometheus-node-exporter'].every(isOnPath),
    'apt-get install prometheus prometheus-alertmanager prometheus-node-exporter',
  ],
  Docker: [
    () =>
      Boolean(
        versionOf('docker', 'version', '--format', '{{.Server.Version}}') && composeProgram(),
      ),
    'Docker with Compose 2, and start its engine',
  ],
  Podman: [
    () => versionOf('podman') !== undefined && process.getuid?.() === 0,
    'apt-get install podman catatonit, as root',
  ],
  Helm: [
    () => isOnPath('helm') || canStandInForHelm(),
    'Helm, or apt-get install golang-1.19-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev',
  ],
  Linux: [() => process.platform === 'linux', 'a machine with Linux'],
} satisfies Record<string, Requirement>

export type Need = keyof typeof REQUIREMENTS

export const missing = (needs: readonly Need[]): string[] =>
  needs.flatMap((need) => {
    const [isMet, install] = REQUIREMENTS[need]
    return isMet() ? [] : [`${need} is missing: ${install}`]
  })
