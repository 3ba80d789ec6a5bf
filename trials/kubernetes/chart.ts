import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { ROOT } from '#runtime/process/root'
import { PEERS_DIR } from '#trials/bench/peers'
import { GO_PATH, goProgram, versionOf } from '#trials/kit/needs'

const CHART = path.join(ROOT, 'deploy/helm')
const STAND_IN = path.join(ROOT, 'trials/kubernetes/helm-template.go')

export const RELEASE = 'tesp-trial'

export type KubeObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  spec: Record<string, unknown>
}

function output(program: string, args: string[], env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${error?.message ?? stderr.trim()}`)
  return stdout
}

/** Without Helm, the same template engine renders. */
export class Renderer {
  readonly name: string
  private readonly standIn: string | undefined

  constructor(private readonly folder: string) {
    const helm = versionOf('helm', 'version', '--short')
    if (helm) {
      this.name = `Helm ${helm.trim()}`
      return
    }
    this.name = 'text/template with Sprig (Helm is not installed)'
    this.standIn = path.join(folder, 'helm-template')
    const env = {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: GO_PATH,
      GOCACHE: path.join(folder, 'go'),
    }
    output(goProgram() ?? 'go', ['build', '-o', this.standIn, STAND_IN], env)
  }

  /** @throws {Error} as Helm says it */
  render(values: Record<string, unknown>): KubeObject[] {
    const file = path.join(this.folder, 'values.yaml')
    fs.writeFileSync(file, stringify(values))
    const text = this.standIn
      ? output(this.standIn, [CHART, RELEASE, RELEASE, file])
      : output('helm', ['template', RELEASE, CHART, '--namespace', RELEASE, '--values', file])
    return parseAllDocuments(text)
      .map((document) => document.toJS() as KubeObject | null)
      .filter((one) => one !== null)
  }
}

/** Schemas of the API groups that Kubernetes itself does not have. */
const SCHEMAS: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

type Model = new (object: KubeObject) => { validate(): void }

async function problemsOf(object: KubeObject): Promise<string[]> {
  const { apiVersion, kind, metadata } = object
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : []
  const name = SCHEMAS[group] ?? 'kubernetes-models'
  try {
    const file = path.join(PEERS_DIR, 'node_modules', name, apiVersion, 'index.js')
    const kinds: Record<string, Model> = await import(file)
    const Kind = kinds[kind]
    if (!Kind) throw new Error(`${name} has no such kind in ${apiVersion}`)
    new Kind(object).validate()
    return []
  } catch (error) {
    return [`${kind} ${metadata.name}: ${error instanceof Error ? error.message : error}`]
  }
}

export async function schemaProblems(objects: KubeObject[]): Promise<string[]> {
  return (await Promise.all(objects.map(problemsOf))).flat()
}
