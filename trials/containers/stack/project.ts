import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '#runtime/config/free-port'
import { ROOT } from '#runtime/process/root'

/** A project of docker compose in a temporary folder, with secrets and ports of its own. */
export type Project = {
  folder: string
  /** Arguments that every call of docker compose begins with. */
  files: string[]
  /** Name of the project and prefix of its containers. */
  name: string
  /** Settings of the product, as in `.env`. */
  settings: Record<string, string>
  origin: string
  /** The database as this machine reaches it. */
  databaseUrl: string
  /** Port of this machine on which the members' mail server listens. */
  mailPort: number
  /** Ports of this machine of the services of the profiles. */
  ports: { catcher: number; prometheus: number; review: number }
  /** Whether mails go to the catcher of the profile `mail`. */
  catchesMail: boolean
}

export type ProjectOptions = { catchesMail?: boolean }

/** The image that is built and tested. */
export const IMAGE = 'tesp-network:test'

const freePorts = (count: number) => Promise.all(Array.from({ length: count }, () => freePort()))

const secret = () => randomBytes(32).toString('hex')

/** Images that replace those of docker-compose.yml, such as copies in a registry of your own. */
const replacedImages = () =>
  Object.entries({
    postgres: process.env.POSTGRES_IMAGE,
    redis: process.env.REDIS_IMAGE,
    proxy: process.env.CADDY_IMAGE,
    mail: process.env.MAIL_IMAGE,
    prometheus: process.env.PROMETHEUS_IMAGE,
  }).flatMap(([service, image]) => (image ? [[service, { image }] as const] : []))

/** What the test adds to docker-compose.yml: a way from this machine to Postgres, and one back to it. */
function override(postgresPort: number) {
  const images = Object.fromEntries(replacedImages())
  return {
    services: {
      ...images,
      postgres: { ...images.postgres, ports: [`127.0.0.1:${postgresPort}:5432`] },
      workers: { extra_hosts: ['host.docker.internal:host-gateway'] },
    },
  }
}

/** Writes the project. Its folder has no link to the `.env` of the repository. */
export async function createProject({ catchesMail = false }: ProjectOptions): Promise<Project> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-containers-'))
  const [http = 0, https = 0, postgres = 0, mailPort = 0, ...others] = await freePorts(7)
  const [catcher = 0, prometheus = 0, review = 0] = others
  const name = path.basename(folder).toLowerCase()
  const origin = `https://localhost:${https}`
  const settings = {
    PUBLIC_ORIGIN: origin,
    SITE_ADDRESS: 'localhost',
    HTTP_PORT: `127.0.0.1:${http}`,
    HTTPS_PORT: `127.0.0.1:${https}`,
    SESSION_KEYS: secret(),
    DATA_KEY: randomBytes(32).toString('base64'),
    POSTGRES_PASSWORD: secret(),
    REDIS_PASSWORD: secret(),
    SMTP_URL: catchesMail ? 'smtp://mail:1025' : `smtp://host.docker.internal:${mailPort}`,
    MAIL_PORT: String(catcher),
    PROMETHEUS_PORT: String(prometheus),
    REVIEW_PORT: String(review),
    REVIEW_ORIGIN: `http://127.0.0.1:${review}`,
    TESP_IMAGE: IMAGE,
    OPERATOR: 'test',
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
  fs.writeFileSync(path.join(folder, '.env'), lines.join(''), { mode: 0o600 })
  // docker compose takes the folders of its volumes relative to the project's folder.
  fs.symlinkSync(path.join(ROOT, 'operators'), path.join(folder, 'operators'))
  const overrideFile = path.join(folder, 'override.json')
  fs.writeFileSync(overrideFile, JSON.stringify(override(postgres)))
  const compose = path.join(ROOT, 'docker-compose.yml')
  const databaseUrl = `postgres://tesp:${settings.POSTGRES_PASSWORD}@127.0.0.1:${postgres}/tesp`
  return {
    folder,
    files: ['-p', name, '--project-directory', folder, '-f', compose, '-f', overrideFile],
    name,
    settings,
    origin,
    databaseUrl,
    mailPort,
    ports: { catcher, prometheus, review },
    catchesMail,
  }
}
