import type { Registry } from 'prom-client'
import { connect } from '#db/engine/connect'
import type { Db } from '#db/postgres/statements/transaction'
import { type Gateway, startGateway } from '#gateway/server'
import type { Config } from '#runtime/config/config'
import { createRegistry } from '#runtime/monitoring/registry'
import { testConfig, testDatabase, testPool } from '#scripts/testing/db/database'
import { startWorkers } from '#workers/server'

/** What visitors and trials need of a product, whose roles may be processes of their own. */
export type ServedProduct = {
  config: Config
  db: Db
  /** URLs of the gateways: `http://127.0.0.1:port`. */
  urls: string[]
  /** The line that a gateway has logged about a failed request; absent if the log is not kept. */
  errorOf?(requestId: string): Promise<string | undefined>
}

/** A complete product on its own database and its own Redis prefix. */
export type Product = ServedProduct & {
  /** Metrics of each gateway that runs in this process. */
  registries: Registry[]
  startWorkers(): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

export type ProductOptions = {
  gateways?: number
  workers?: boolean
  env?: Record<string, string>
  /** Folder of a built client; without it the gateways serve no pages. */
  clientRoot?: string
}

/** Starts a product on free ports. Tests call `useProduct`, which closes it too. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const { gateways = 1, workers = false, env = {}, clientRoot = '/nowhere' } = options
  const database = await testDatabase()
  // Tests register more members from one address than are free of work (`proof-of-work.ts`).
  const config = testConfig(database, { PORT: '0', OTP_PER_ADDRESS_HOUR: '30000', ...env })
  const db = connect(database.url, testPool(4))
  const running: { close(): Promise<void> }[] = []
  const keep = <T extends { close(): Promise<void> }>(started: T): T => {
    running.push(started)
    return started
  }
  const close = async () => {
    await Promise.all(running.map((role) => role.close()))
    await db.destroy()
    await database.drop()
  }
  const startOwnWorkers = async () => keep(await startWorkers(config))
  const registries = Array.from({ length: gateways }, createRegistry)
  const serving: Gateway[] = []
  try {
    for (const registry of registries) {
      serving.push(keep(await startGateway(config, { clientRoot, registry })))
    }
    if (workers) await startOwnWorkers()
  } catch (error) {
    await close()
    throw error
  }
  return {
    config,
    db,
    registries,
    urls: serving.map(({ port }) => `http://127.0.0.1:${port}`),
    startWorkers: startOwnWorkers,
    close,
  }
}
