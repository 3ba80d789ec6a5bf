import { createServer, connect as openSocket, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { executeOnce } from '#db/members/execute-once'
import { lockStarter, startMining, stopMining } from '#db/mining/mining'
import { lockActiveSession } from '#db/mining/sessions'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { prepared } from './prepared.ts'
import { type Db, inTransaction, pipelineCommit, type Tx } from './transaction.ts'

/** The server behind a proxy that counts the writes of its one client, and can cut it off. */
let proxy: Server
let writes = 0
let cutsOff = false
let fresh: FreshDatabase
let db: Db
let memberId: number

function forward(client: Socket): void {
  const { hostname, port } = new URL(fresh.url)
  const server = openSocket(Number(port), hostname)
  server.pipe(client)
  client.on('data', (chunk) => {
    writes++
    if (cutsOff) client.destroy()
    else server.write(chunk)
  })
  client.on('error', () => {}).on('close', () => server.destroy())
  server.on('error', () => {}).on('close', () => client.destroy())
}

beforeAll(async () => {
  fresh = await freshDatabase()
  memberId = await insertMember(fresh.db)
  proxy = createServer(forward)
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const address = proxy.address()
  const url = new URL(fresh.url)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address?.port)
  db = connect(url.href, { max: 1 })
})
afterAll(async () => {
  await db.destroy()
  proxy.close()
  await fresh.close()
})

const command = (key: string) =>
  inTransaction(db, (tx) =>
    executeOnce(tx, { signIn: { memberId, epoch: 0 }, route: 'POST /', key }, async () => {
      await tx.raw('select 1')
      return key
    }),
  )

it('a command waits for Postgres three times: sign-in and key under the lock, its work, the commit', async () => {
  await command('opens-the-connection')
  writes = 0
  expect(await command('another-command')).toBe('another-command')
  expect(writes).toBe(3)
  expect(await command('another-command')).toBe('another-command')
})

it('a start and a stop wait for Postgres twice: what they lock and read, and what they write with the commit', async () => {
  const run = <Locked>(
    key: string,
    execute: (tx: Tx, id: number, locked: Promise<Locked>) => Promise<unknown>,
    lock: (tx: Tx, id: number) => Promise<Locked>,
  ) =>
    inTransaction(db, (tx) => {
      const request = { signIn: { memberId, epoch: 0 }, route: 'POST /', key }
      return executeOnce(tx, request, (locked) => execute(tx, memberId, locked), lock)
    })
  for (const n of [1, 2]) {
    writes = 0
    await run(`start-command-${n}`, startMining, lockStarter)
    await run(`stop-command-${n}`, stopMining, lockActiveSession)
  }
  expect(writes).toBe(4)
})

it('a transaction whose last statement fails is rolled back and rejects', async () => {
  const rename = inTransaction(db, async (tx) => {
    await tx('users').where({ id: memberId }).update({ fullName: 'renamed' })
    pipelineCommit(tx, prepared(tx, 'fails', 'select 1 / :zero::int', { zero: 0 }))
  })
  await expect(rename).rejects.toMatchObject({ code: '22012' })
  const row = await db('users').where({ id: memberId }).first('fullName')
  expect(row.fullName).not.toBe('renamed')
})

it('a transaction rejects with the failure that nobody awaited, not with that of a statement after it', async () => {
  const work = inTransaction(fresh.db, async (tx) => {
    pipelineCommit(tx, prepared(tx, 'fails', 'select 1 / :zero::int', { zero: 0 }))
    await prepared(tx, 'follows', 'select 1', {})
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
})

it('a transaction whose BEGIN does not reach Postgres rejects, and the pool opens another connection', async () => {
  cutsOff = true
  await expect(command('cut-off')).rejects.toThrow(/Connection terminated|ECONNRESET/)
  cutsOff = false
  expect(await command('cut-off')).toBe('cut-off')
})
