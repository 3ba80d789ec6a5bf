import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compose, docker } from './engine.ts'
import { createProject, type Project, type ProjectOptions } from './project.ts'

const HEALTHY_LIMIT_MS = 60_000

const PROFILES = ['mail', 'monitoring', 'review']

export type Role = 'gateway' | 'workers'
/** A service that `docker compose up` starts only with its profile. */
export type ProfileService = 'mail' | 'prometheus' | 'review'
export type Service = Role | 'proxy' | 'redis' | 'postgres' | ProfileService

/** The product as docker compose runs it. */
export class Stack {
  private constructor(readonly project: Project) {}

  static async create(options: ProjectOptions = {}): Promise<Stack> {
    return new Stack(await createProject(options))
  }

  /** Runs docker compose for this project. */
  compose(...args: string[]): Promise<string> {
    const { files, settings } = this.project
    return compose([...files, ...args], { ...process.env, ...settings })
  }

  /** Starts everything from images that exist, and waits until it is healthy. */
  async up(gateways: number, workers: number): Promise<void> {
    const scales = ['--scale', `gateway=${gateways}`, '--scale', `workers=${workers}`]
    await this.compose('up', '-d', '--no-build', ...scales)
    for (const service of ['gateway', 'workers', 'proxy'] as const) await this.healthy(service)
  }

  /** Starts services of profiles. */
  async upProfiles(...services: ProfileService[]): Promise<void> {
    await this.compose('up', '-d', '--no-build', '--no-deps', ...services)
    for (const service of services) await this.healthy(service)
  }

  /** From now on containers are made from this image; those that run stay. */
  useImage(image: string): void {
    this.project.settings.TESP_IMAGE = image
  }

  /** Image of each running container of a role. */
  async images(role: Role): Promise<string[]> {
    const ids = await this.containers(role)
    return (await docker('inspect', '--format', '{{.Config.Image}}', ...ids)).split('\n')
  }

  /** Changes the number of containers of a service and leaves the others as they are. */
  async scale(service: Role, count: number): Promise<void> {
    const only = ['--no-build', '--no-deps', '--no-recreate']
    await this.compose('up', '-d', ...only, '--scale', `${service}=${count}`, service)
    await this.healthy(service)
  }

  /** Ids of the running containers of a service. */
  async containers(service: Service): Promise<string[]> {
    const labels = { project: this.project.name, service }
    const filters = Object.entries(labels).flatMap(([label, value]) => [
      '--filter',
      `label=com.docker.compose.${label}=${value}`,
    ])
    const ids = await docker('ps', '--quiet', '--no-trunc', ...filters)
    return ids.split('\n').filter(Boolean)
  }

  /** Waits until every container of a service is healthy; without a health check, until it runs. */
  async healthy(service: Service): Promise<void> {
    const end = Date.now() + HEALTHY_LIMIT_MS
    const format = '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}'
    for (;;) {
      const ids = await this.containers(service)
      const output = ids.length > 0 ? await docker('inspect', '--format', format, ...ids) : 'absent'
      const states = output.split('\n')
      if (states.every((state) => state === 'healthy' || state === 'running')) return
      if (Date.now() > end) {
        throw new Error(`${service} is not healthy: ${states}\n${await this.logs(service)}`)
      }
      await sleep(200)
    }
  }

  /** Stops a container as an upgrade does, starts it again, and waits until it is healthy. */
  async restart(service: Service, id: string): Promise<void> {
    await docker('stop', id)
    await docker('start', id)
    await this.healthy(service)
  }

  /** Stops a container for good. */
  async remove(id: string): Promise<void> {
    await docker('stop', id)
    await docker('rm', id)
  }

  logs(service: Service): Promise<string> {
    return this.compose('logs', '--no-color', '--tail', '30', service)
  }

  /** Writes the certificate authority that the proxy made for `localhost`; returns its file. */
  async certificateAuthority(): Promise<string> {
    const [proxy = ''] = await this.containers('proxy')
    const file = path.join(this.project.folder, 'ca.crt')
    fs.writeFileSync(
      file,
      await docker('exec', proxy, 'cat', '/data/caddy/pki/authorities/local/root.crt'),
    )
    return file
  }

  /** Removes the containers, the volumes and the folder of the project. */
  async down(): Promise<void> {
    // Without them the containers of the profiles would stay.
    this.project.settings.COMPOSE_PROFILES = PROFILES.join(',')
    await this.compose('down', '--volumes', '--timeout', '5')
    fs.rmSync(this.project.folder, { recursive: true, force: true })
  }
}
