import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#runtime/config/free-port'
import { caddyfile, type Machine, nginxMain, nginxSite } from './configurations.ts'

const READY_LIMIT_MS = 20_000

export type ProxyName = 'nginx' | 'caddy'
/** A running proxy before the gateways. */
export type RunningProxy = { name: ProxyName; url: string; version: string; stop(): Promise<void> }

const VERSION: Record<ProxyName, string[]> = { nginx: ['-v'], caddy: ['version'] }

/** The version that a proxy prints; undefined where it is not installed. */
export function versionOf(name: ProxyName): string | undefined {
  const { status, stdout, stderr } = spawnSync(name, VERSION[name], { encoding: 'utf8' })
  return status === 0 ? `${stdout}${stderr}`.trim().replace(/^nginx version: /, '') : undefined
}

function launch(name: ProxyName, folder: string, machine: Machine): ChildProcess {
  const log = fs.openSync(path.join(folder, 'output.log'), 'w')
  const stdio: ['ignore', number, number] = ['ignore', log, log]
  if (name === 'nginx') {
    const file = path.join(folder, 'nginx.conf')
    fs.writeFileSync(file, nginxMain(folder, nginxSite(machine)))
    return spawn('nginx', ['-p', folder, '-c', file], { stdio })
  }
  const file = path.join(folder, 'Caddyfile')
  fs.writeFileSync(file, caddyfile(machine))
  const env = { PATH: process.env.PATH, HOME: folder }
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { stdio, env })
}

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** A proxy that is installed, with free ports before the gateways start. */
export class PlannedProxy {
  private constructor(
    readonly name: ProxyName,
    private readonly port: number,
    private readonly plainPort: number,
  ) {}

  static async plan(name: ProxyName): Promise<PlannedProxy> {
    return new PlannedProxy(name, await freePort(), await freePort())
  }

  get url(): string {
    return `https://localhost:${this.port}`
  }

  /** Starts it with the documented configuration and waits until it serves. */
  async start(
    folder: string,
    machine: Pick<Machine, 'certificate' | 'key' | 'gateways'>,
  ): Promise<RunningProxy> {
    const { name, port, plainPort, url } = this
    fs.mkdirSync(folder)
    const child = launch(name, folder, { ...machine, port, plainPort })
    const stop = async () => {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    const end = Date.now() + READY_LIMIT_MS
    while (!(await answers(url))) {
      if (child.exitCode !== null || Date.now() > end) {
        await stop()
        const files = ['output.log', 'error.log'].map((file) => path.join(folder, file))
        const logs = files.map((file) => fs.existsSync(file) && fs.readFileSync(file, 'utf8'))
        throw new Error(`${name} does not serve: ${logs.join('\n').slice(-2_000)}`)
      }
      await sleep(50)
    }
    return { name, url, version: versionOf(name) ?? '', stop }
  }
}
