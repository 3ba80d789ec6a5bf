import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'
import { run } from '#scripts/embedded/run-program'
import { readText } from '#scripts/testing/read-file'
import { composeProgram } from '#trials/kit/needs'
import { until } from '#trials/kit/until'

export const docker = (...args: string[]) => run('docker', args)

export async function compose(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [program = '', ...first] = composeProgram() ?? []
  return run(program, [...first, ...args], { env })
}

export const IMAGE = 'tesp-network:test'

const secret = () => randomBytes(32).toString('hex')

/** Your own, such as copies in your registry. */
const IMAGES = {
  postgres: process.env.POSTGRES_IMAGE,
  redis: process.env.REDIS_IMAGE,
  proxy: process.env.CADDY_IMAGE,
  mail: process.env.MAIL_IMAGE,
  prometheus: process.env.PROMETHEUS_IMAGE,
}

/** What the test adds to docker-compose.yml: a way from this machine to Postgres, and one back to it. */
function override(postgresPort: number) {
  const given = Object.entries(IMAGES).filter(([, image]) => image)
  const images = Object.fromEntries(given.map(([service, image]) => [service, { image }]))
  return {
    services: {
      ...images,
      postgres: { ...images.postgres, ports: [`127.0.0.1:${postgresPort}:5432`] },
      workers: { extra_hosts: ['host.docker.internal:host-gateway'] },
    },
  }
}

/** @throws {Error} if one of them is not in the text: the file has changed */
export function replaced(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the configuration does not contain ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

/** The folder has no link to the `.env` of the repository. */
export async function createProject(catchesMail: boolean) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-containers-'))
  const [http = 0, https = 0, postgres = 0, mailPort = 0, ...others] = await freePorts(7)
  const [catcher = 0, prometheus = 0, operators = 0] = others
  const name = path.basename(folder).toLowerCase()
  const origin = `https://localhost:${https}`
  const password = secret()
  const settings: Record<string, string> = {
    PUBLIC_ORIGIN: origin,
    SITE_ADDRESS: 'localhost',
    HTTP_PORT: `127.0.0.1:${http}`,
    HTTPS_PORT: `127.0.0.1:${https}`,
    SESSION_KEYS: secret(),
    DATA_KEY: randomBytes(32).toString('base64'),
    POSTGRES_PASSWORD: password,
    REDIS_PASSWORD: secret(),
    SMTP_URL: catchesMail ? 'smtp://mail:1025' : `smtp://host.docker.internal:${mailPort}`,
    MAIL_FROM: 'no-reply@tesp.example',
    CONSOLE_PORT: String(operators),
    CONSOLE_ORIGIN: `http://127.0.0.1:${operators}`,
    TESP_IMAGE: IMAGE,
    OPERATOR: 'test',
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
  fs.writeFileSync(path.join(folder, '.env'), lines.join(''), { mode: 0o600 })
  // docker compose takes the folders of its volumes relative to the project's folder.
  fs.symlinkSync(path.join(ROOT, 'operators'), path.join(folder, 'operators'))
  const overrideFile = path.join(folder, 'override.json')
  fs.writeFileSync(overrideFile, JSON.stringify(override(postgres)))
  const compose = path.join(folder, 'docker-compose.yml')
  const ports = {
    '127.0.0.1:8025:': `127.0.0.1:${catcher}:`,
    '127.0.0.1:9090:': `127.0.0.1:${prometheus}:`,
  }
  fs.writeFileSync(compose, replaced(readText('docker-compose.yml'), ports))
  return {
    folder,
    /** Arguments that every call of docker compose begins with. */
    files: ['-p', name, '--project-directory', folder, '-f', compose, '-f', overrideFile],
    name,
    settings,
    origin,
    /** The database as this machine reaches it. */
    databaseUrl: `postgres://tesp:${password}@127.0.0.1:${postgres}/tesp`,
    /** The members' mail server listens on it. */
    mailPort,
    /** The catcher of the profile `mail`, which then gets the mails. */
    catcherPort: catchesMail ? catcher : undefined,
    ports: { prometheus, console: operators },
  }
}

const PROFILES = ['mail', 'monitoring', 'console']

export type Role = 'gateway' | 'workers'
export type ProfileService = 'mail' | 'prometheus' | 'console'
export type Service = Role | 'proxy' | 'redis' | 'postgres' | ProfileService

export class Stack {
  constructor(readonly project: Awaited<ReturnType<typeof createProject>>) {}

  compose(...args: string[]): Promise<string> {
    const { files, settings } = this.project
    return compose([...files, ...args], { ...process.env, ...settings })
  }

  /** Two gateways, two workers and the services of these profiles. */
  async up(profiles: ProfileService[]): Promise<void> {
    const scales = ['--scale', 'gateway=2', '--scale', 'workers=2']
    await this.compose('up', '-d', '--no-build', ...scales)
    for (const service of ['gateway', 'workers', 'proxy'] as const) await this.healthy(service)
    for (const service of profiles) {
      await this.compose('up', '-d', '--no-build', '--no-deps', service)
      await this.healthy(service)
    }
  }

  /** From now on containers are made from this image; those that run stay. */
  useImage(image: string): void {
    this.project.settings.TESP_IMAGE = image
  }

  async images(role: Role): Promise<string[]> {
    const ids = await this.containers(role)
    return (await docker('inspect', '--format', '{{.Config.Image}}', ...ids)).split('\n')
  }

  /** Leaves the containers of other services as they are. */
  async scale(service: Role, count: number): Promise<void> {
    const only = ['--no-build', '--no-deps', '--no-recreate']
    await this.compose('up', '-d', ...only, '--scale', `${service}=${count}`, service)
    await this.healthy(service)
  }

  async containers(service: Service): Promise<string[]> {
    const labels = { project: this.project.name, service }
    const filters = Object.entries(labels).flatMap(([label, value]) => [
      '--filter',
      `label=com.docker.compose.${label}=${value}`,
    ])
    const ids = await docker('ps', '--quiet', '--no-trunc', ...filters)
    return ids.split('\n').filter(Boolean)
  }

  /** Without a health check, waits until every container of the service runs. */
  async healthy(service: Service): Promise<void> {
    const format = '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}'
    const isHealthy = async () => {
      const ids = await this.containers(service)
      const output = ids.length > 0 ? await docker('inspect', '--format', format, ...ids) : 'absent'
      return output.split('\n').every((state) => state === 'healthy' || state === 'running')
    }
    await until(`${service} is healthy`, isHealthy, { logs: () => this.logs(service) })
  }

  /** Stops a container as an upgrade does, starts it again, and waits until it is healthy. */
  async restart(service: Service, id: string): Promise<void> {
    await docker('stop', id)
    await docker('start', id)
    await this.healthy(service)
  }

  async remove(id: string): Promise<void> {
    await docker('stop', id)
    await docker('rm', id)
  }

  logs(service: Service): Promise<string> {
    return this.compose('logs', '--no-color', '--tail', '30', service)
  }

  /** The certificate authority that the proxy made for `localhost`; returns its file. */
  async certificateAuthority(): Promise<string> {
    const [proxy = ''] = await this.containers('proxy')
    const file = path.join(this.project.folder, 'ca.crt')
    fs.writeFileSync(
      file,
      await docker('exec', proxy, 'cat', '/data/caddy/pki/authorities/local/root.crt'),
    )
    return file
  }

  async down(): Promise<void> {
    // Without them the containers of the profiles would stay.
    this.project.settings.COMPOSE_PROFILES = PROFILES.join(',')
    await this.compose('down', '--volumes', '--timeout', '5')
    fs.rmSync(this.project.folder, { recursive: true, force: true })
  }
}
