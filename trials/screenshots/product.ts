import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { connect } from '#db/postgres/connection/connect'
import { migrate } from '#db/postgres/schema/migrate'
import { startGateway } from '#gateway/server'
import { readConfig } from '#runtime/config/config'
import { developmentSecrets } from '#runtime/process/development-secrets'
import type { Started } from '#runtime/process/lifetime/shutdown'
import { report } from '#runtime/process/progress'
import { DATA_DIR } from '#runtime/process/root'
import { buildClient } from '#scripts/build/build-client'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { seedDemo } from '#scripts/seed/seed-demo'
import { startWorkers } from '#workers/server'
import { seedMembers } from './seed-members.ts'

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-screenshots-'))
  // Postgres runs under another account if this process is root.
  fs.chmodSync(folder, 0o755)
  return folder
}

async function startServers() {
  const dataDir = path.join(temporaryFolder(), 'data')
  const servers = await startEmbedded({ dataDir, durable: false })
  return {
    ...servers,
    async stop() {
      await servers.stop()
      removeDataDir(dataDir)
      fs.rmSync(path.dirname(dataDir), { recursive: true, force: true })
    },
  }
}

async function seed(databaseUrl: string, dataKey: Buffer): Promise<void> {
  await migrate(databaseUrl)
  const db = connect(databaseUrl, { max: 2, name: 'tesp-screenshots' })
  try {
    await seedDemo(db, dataKey)
    await seedMembers(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Starts the whole product with demo data on servers of its own, so that a running product and its
 * data stay as they are. `started` closes it.
 * @returns the URL of the gateway
 */
export async function startDemoProduct(started: Started): Promise<string> {
  const servers = started.add(startServers(), (running) => running.stop())
  const [{ databaseUrl, redisUrl }] = await Promise.all([
    report('database and queue are running', servers),
    report('client is built', buildClient()),
  ])
  const config = readConfig({
    ...developmentSecrets(DATA_DIR),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PORT: '0',
    LOG_LEVEL: 'silent',
    // Refuses connections: nobody reads the mails about the sign-ins.
    SMTP_URL: 'smtp://127.0.0.1:9',
  })
  await report('demo data is written', seed(databaseUrl, config.dataKey))
  await started.add(startWorkers(config), (workers) => workers.close())
  const gateway = await started.add(startGateway(config), (running) => running.close())
  // Passkeys need a domain, and the gateway names its address.
  const url = new URL(gateway.url)
  url.hostname = 'localhost'
  return url.origin
}
