import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#db/migrations/migrate'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { buildRoles } from '#scripts/build/build-roles'
import { startEmbedded } from '#scripts/embedded/servers'
import { endConnections } from '#scripts/testing/db/database'
import { CitusCluster } from '#trials/citus/citus-cluster'
import { openFolder } from '#trials/kit/child'

/** Few, because every test file copies their tables on every node. */
const SHARDS = 4

let stop: () => Promise<void>

export async function setup(project: TestProject) {
  const folder = openFolder('tesp-citus-')
  const dataDir = path.join(folder, 'data')
  const wanted = { postgres: false, valkey: true }
  const embedded = await startEmbedded({ dataDir, durable: false, wanted })
  const cluster = await CitusCluster.start(folder, { shards: SHARDS, durable: false })
  stop = async () => {
    await embedded.stop()
    await cluster.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  await buildRoles()
  const template = `tesp_template_${randomBytes(5).toString('hex')}`
  await migrate(await cluster.createDatabase(template))
  for (const { adminUrl } of cluster.nodes) await endConnections(adminUrl, template)
  project.provide('testServers', {
    databaseUrl: cluster.coordinator.adminUrl,
    otherNodes: cluster.workers.map(({ adminUrl }) => adminUrl),
    template,
    redisUrl: embedded.redisUrl,
    sharedRedis: false,
    secrets: developmentSecrets(folder),
  })
}

export const teardown = () => stop()
