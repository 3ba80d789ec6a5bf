import { connect } from '#db/postgres/connection/connect'
import type { Product } from '#gateway/testing/product'
import { readConfig } from '#runtime/config/config'
import { journey } from './journey.ts'
import { Load } from './load.ts'
import { mailCatcher } from './mail-catcher.ts'
import { openMailbox } from './mailbox.ts'
import type { MembersOptions, Order, Orders, Result } from './protocol.ts'

// Started by members.ts.

const options: MembersOptions = JSON.parse(process.env.MEMBERS_OPTIONS ?? '')
const { origin, databaseUrl, mailPort, ports, catchesMail, settings } = options
const product: Product = {
  config: readConfig({ ...settings, DATABASE_URL: databaseUrl, REDIS_URL: 'redis://not-used' }),
  db: connect(databaseUrl, { max: 4, name: 'test', statementTimeoutMs: 0 }),
  urls: [origin],
  registries: [],
  startWorkers: async () => ({ close: async () => {} }),
  close: async () => {},
}
const mailbox = catchesMail ? mailCatcher(ports.catcher) : await openMailbox(mailPort)
const load = new Load(product)

type Handlers = {
  [N in keyof Orders]: (...args: Parameters<Orders[N]>) => Promise<ReturnType<Orders[N]>>
}

const HANDLERS: Handlers = {
  journey: () => journey(product, mailbox),
  start: (members) => load.start(members),
  step: () => load.step(),
  stop: () => load.stop(),
}

process.on('message', async ({ id, name, args }: Order) => {
  const handler = HANDLERS[name] as (...args: unknown[]) => Promise<unknown>
  let result: Result
  try {
    result = { id, value: await handler(...args) }
  } catch (error) {
    result = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  process.send?.(result)
})
process.on('disconnect', () => process.exit())
