import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { redisForRequests } from '#runtime/redis'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { type LossyRedis, lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'

/** A Sentinel that names one master, once `mayAnswer`, and can report a failover. */
class FakeSentinel {
  mayAnswer: Promise<void> = Promise.resolve()
  questions = 0
  private readonly subscribers = new Set<net.Socket>()
  private readonly server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.on('close', () => this.subscribers.delete(socket))
    socket.on('data', (chunk) => void this.answer(socket, chunk.toString().toLowerCase()))
  })

  constructor(private readonly masterPort: number) {}

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return (this.server.address() as net.AddressInfo).port
  }

  get isHeard(): boolean {
    return this.subscribers.size > 0
  }

  reportFailover(): void {
    const message = '*3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n$4\r\ntesp\r\n'
    for (const socket of this.subscribers) socket.write(message)
  }

  close(): void {
    for (const socket of this.subscribers) socket.destroy()
    this.server.close()
  }

  private async answer(socket: net.Socket, commands: string): Promise<void> {
    for (const command of commands.split(/\*\d+\r\n/).slice(1)) {
      if (command.includes('get-master-addr')) {
        this.questions++
        await this.mayAnswer
        const port = String(this.masterPort)
        socket.write(`*2\r\n$9\r\n127.0.0.1\r\n$${port.length}\r\n${port}\r\n`)
      } else if (command.includes('sentinels')) socket.write('*0\r\n')
      else if (command.includes('subscribe')) {
        this.subscribers.add(socket)
        socket.write('*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n')
      } else if (command.includes('hello')) socket.write('-NOPROTO unsupported protocol\r\n')
      else socket.write('+OK\r\n')
    }
  }
}

let database: TestDatabase
let master: LossyRedis
let sentinel: FakeSentinel

beforeAll(async () => {
  database = await testDatabase()
  master = await lossyRedis(database.redisUrl)
  sentinel = new FakeSentinel(master.port)
})
afterAll(async () => {
  sentinel?.close()
  await master?.close()
  await database?.drop()
})

it('a failover that is reported while the Sentinel is asked does not end the connection', async () => {
  const { username, password } = new URL(database.redisUrl)
  const login = password ? `${username}:${password}@` : ''
  const url = `redis+sentinel://${login}127.0.0.1:${await sentinel.listen()}/tesp`
  const redis = redisForRequests(url)
  try {
    await expect.poll(() => redis.ping().catch(() => '')).toBe('PONG')
    await expect.poll(() => sentinel.isHeard).toBe(true)
    const asked = sentinel.questions
    let answerNow = () => {}
    sentinel.mayAnswer = new Promise<void>((resolve) => {
      answerNow = resolve
    })
    master.cut()
    await expect.poll(() => sentinel.questions).toBeGreaterThan(asked)
    sentinel.reportFailover()
    await sleep(200)
    answerNow()
    const answer = () => redis.ping().catch(() => '')
    await expect.poll(answer).toBe('PONG')
  } finally {
    redis.disconnect()
  }
})
