import { Command, Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember } from '#scripts/testing/gateway/visitor'

const slotOf = (key: string | Buffer) => new Command('get', [key]).getSlot()

/** Every command that this process sends to Redis, libraries included, with its connection. */
const sent: { connection: Redis; command: Command }[] = []
const { sendCommand } = Redis.prototype

beforeAll(() => {
  Redis.prototype.sendCommand = function (...[command, stream]) {
    sent.push({ connection: this, command })
    return sendCommand.call(this, command, stream)
  }
})
const product = useProduct({ gateways: 2, workers: true })
afterAll(() => {
  Redis.prototype.sendCommand = sendCommand
})

/** Commands and transactions whose keys hash to several slots of a cluster. */
function severalSlots(): string[] {
  const transactions = new Map<Redis, Command[]>()
  const groups: Command[][] = []
  for (const { connection, command } of sent) {
    const transaction = transactions.get(connection)
    if (command.name === 'multi') transactions.set(connection, [])
    else if (command.name === 'exec') {
      groups.push(transaction ?? [])
      transactions.delete(connection)
    } else if (transaction) transaction.push(command)
    // `readValues` sends MGET to one server only.
    else if (command.name !== 'mget') groups.push([command])
  }
  const isSplit = (group: Command[]) =>
    new Set(group.flatMap((command) => command.getKeys()).map(slotOf)).size > 1
  return groups
    .filter(isSplit)
    .map((group) => group.map(({ name, args }) => `${name} ${args.join(' ').slice(0, 200)}`).join())
}

it('every command and transaction of a journey and its jobs has the keys of one slot', async () => {
  const member = await newMember(product)
  const device = await member.otherDevice(1)
  await Promise.all([member.connected(0), device.connected(1)])
  await member.call('POST /api/login', { body: { identifier: 'nobody', password: 'wrong' } })
  await member.call('POST /api/mining/start')
  await member.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
  await member.call('GET /api/wallet')
  await member.call('POST /api/logout')
  for (const visitor of [member, device]) visitor.disconnect()
  const names = () => new Set(sent.map(({ command }) => command.name))
  // Rate limits, sign-ins and queues were used, and a worker waited for jobs.
  await expect
    .poll(() => [...names()])
    .toEqual(expect.arrayContaining(['evalsha', 'multi', 'set', 'get', 'publish', 'bzpopmin']))
  expect(severalSlots()).toEqual([])
})
