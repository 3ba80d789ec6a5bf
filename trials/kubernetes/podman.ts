import fs from 'node:fs'
import path from 'node:path'
import { stringify } from 'yaml'
import { run } from '#scripts/embedded/run-program'
import { type KubeObject, RELEASE } from './chart.ts'

const NETWORK = RELEASE

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }
type Container = Record<string, unknown> & {
  name: string
  command?: string[]
  env?: Variable[]
  envFrom?: object[]
}
type PodSpec = { containers: Container[] } & Record<string, unknown>

export const podman = (...args: string[]) => run('podman', args)

/** Podman would publish each port of a container on this machine, and the image can run no probe. */
const LEFT_OUT = ['startupProbe', 'livenessProbe', 'readinessProbe', 'lifecycle', 'ports']

/** Podman's versions read secrets in different ways, so values stand in the pod. */
function playable(container: Container, secrets: Record<string, string>): object {
  const { command, env = [], envFrom, ...others } = container
  for (const name of LEFT_OUT) delete others[name]
  const all = envFrom ? Object.entries(secrets).map(([name, value]) => ({ name, value })) : []
  const own = env.map(({ name, value, valueFrom }) => ({
    name,
    value: valueFrom ? secrets[valueFrom.secretKeyRef.key] : value,
  }))
  // `$(NAME)` stands for an earlier variable, as in Kubernetes.
  const expand = (text = '') => text.replace(/\$\((\w+)\)/g, (_, name) => secrets[name] ?? '')
  return {
    ...others,
    ...(command && { command: command.map(expand) }),
    env: [...all, ...own].map(({ name, value }) => ({ name, value: expand(value) })),
  }
}

function podOf(object: KubeObject, name: string, secrets: Record<string, string>): object {
  const { template } = object.spec as { template: { metadata: object; spec: PodSpec } }
  const { topologySpreadConstraints: _, ...spec } = template.spec
  const containers = spec.containers.map((container) => playable(container, secrets))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name },
    spec: { ...spec, containers },
  }
}

/** Podman runs no Service: pods find each other by alias. */
export class PodmanCluster {
  private readonly pods: string[] = []
  private readonly volumes: string[] = []
  /** Values of the secret that the pods refer to. */
  secrets: Record<string, string> = {}

  private constructor(
    private readonly folder: string,
    /** Address of this machine in the network of the pods. */
    readonly hostAddress: string,
  ) {}

  static async create(folder: string): Promise<PodmanCluster> {
    await podman('network', 'rm', '--force', NETWORK)
    await podman('network', 'create', NETWORK)
    const format = '{{(index .Subnets 0).Gateway}}'
    return new PodmanCluster(
      folder,
      await podman('network', 'inspect', '--format', format, NETWORK),
    )
  }

  async createVolume(claim: KubeObject): Promise<void> {
    this.volumes.push(claim.metadata.name)
    await this.play('volume', claim, [])
  }

  /** @param alias the name of its Service */
  async start(object: KubeObject, name: string, alias = name): Promise<void> {
    this.pods.push(name)
    await this.play(name, podOf(object, name, this.secrets), [
      '--network',
      `${NETWORK}:alias=${alias}`,
    ])
  }

  async addressOf(name: string): Promise<string> {
    const infra = await podman('pod', 'inspect', '--format', '{{.InfraContainerID}}', name)
    const format = `{{(index .NetworkSettings.Networks "${NETWORK}").IPAddress}}`
    return podman('inspect', '--format', format, infra)
  }

  /** SIGTERM, and SIGKILL after the grace period, as Kubernetes does. Returns how long it took, ms. */
  async stop(name: string, graceSeconds: number): Promise<number> {
    const startedAt = performance.now()
    await podman('pod', 'stop', '--time', String(graceSeconds), name)
    return performance.now() - startedAt
  }

  async exitCode(name: string, container: string): Promise<number> {
    return Number(await podman('wait', `${name}-${container}`))
  }

  logs(name: string, container: string): Promise<string> {
    return podman('logs', '--tail', '30', `${name}-${container}`)
  }

  async remove(): Promise<void> {
    for (const name of this.pods) await podman('pod', 'rm', '--force', '--time', '10', name)
    for (const name of this.volumes) await podman('volume', 'rm', '--force', name)
    await podman('network', 'rm', '--force', NETWORK)
  }

  private async play(name: string, object: object, options: string[]): Promise<void> {
    const file = path.join(this.folder, `${name}.yaml`)
    fs.writeFileSync(file, stringify(object))
    await podman('play', 'kube', ...options, file)
  }
}
