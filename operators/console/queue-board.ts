import type { Queue } from 'bullmq'
import type Koa from 'koa'
import { openQueues } from '#operators/ops/status'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { redisForRequests } from '#runtime/redis'
import type { RedisClient } from '#runtime/redis/redis-client'
import { BOARD_HEADERS, openBoard } from './bull-board.ts'
import { type ConsoleServices, operatorOf } from './http.ts'
import { refuseRole } from './pages.ts'
import { mayOpenBoard } from './roles.ts'

const PATH = '/queues/board'

/** The queues on one connection, and Bull Board on them: opened with the first page and kept. */
export class QueueBoard {
  private redis: RedisClient | undefined
  private opened: Promise<Queue[]> | undefined
  private board: Promise<Koa.Middleware> | undefined

  constructor(
    private readonly config: Config,
    private readonly redisUrl: string | undefined,
  ) {}

  /** @throws {RuleError} `bad_input` without REDIS_URL */
  queues = (): Promise<Queue[]> => {
    if (!this.redisUrl) throw new RuleError('bad_input', 'Set REDIS_URL to see the queues')
    this.redis ??= redisForRequests(this.redisUrl)
    this.opened ??= openQueues(this.redis, this.config.redisPrefix)
    return this.opened
  }

  /** Undefined without REDIS_URL. */
  pages(): Promise<Koa.Middleware> | undefined {
    if (!this.redisUrl) return undefined
    this.board ??= this.queues().then((queues) => openBoard(queues, PATH))
    return this.board
  }

  async close(): Promise<void> {
    await Promise.all(((await this.opened) ?? []).map((queue) => queue.close()))
    this.redis?.disconnect()
  }
}

/** Bull Board behind the sign-in of the console. Only its path has a policy that lets scripts run. */
export function queueBoardPages(services: ConsoleServices, board: QueueBoard): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== PATH && !ctx.path.startsWith(`${PATH}/`)) return next()
    if (!mayOpenBoard(operatorOf(ctx).role))
      return refuseRole(services, ctx, { page: 'queue board' })
    const pages = await board.pages()
    if (!pages) return ctx.throw(503)
    ctx.set(BOARD_HEADERS)
    await pages(ctx, next)
  }
}
