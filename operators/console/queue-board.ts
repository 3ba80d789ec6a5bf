import type { Queue } from 'bullmq'
import type Koa from 'koa'
import type { Config } from '#runtime/config/config'
import { redisForRequests } from '#runtime/redis'
import type { RedisClient } from '#runtime/redis/redis-client'
import { BOARD_HEADERS, openBoard } from '#workers/monitoring/queue-board'
import { type JobName, jobQueue } from '#workers/queue'
import { SCHEDULES } from '#workers/schedules'
import { type ConsoleServices, operatorOf } from './http.ts'
import { refuseRole } from './pages.ts'
import { mayOpenBoard } from './roles.ts'

const PATH = '/queues/board'
const NAMES: JobName[] = [...new Set(SCHEDULES.map(({ job }) => job)), 'send-mail']

/** Bull Board and its connection, opened with the first page and kept. */
export class QueueBoard {
  private redis: RedisClient | undefined
  private queues: Queue[] = []
  private opening: Promise<Koa.Middleware> | undefined

  constructor(
    private readonly config: Config,
    private readonly redisUrl: string | undefined,
  ) {}

  /** Undefined without REDIS_URL. */
  pages(): Promise<Koa.Middleware> | undefined {
    if (!this.redisUrl) return undefined
    this.opening ??= this.open(this.redisUrl)
    return this.opening
  }

  private async open(redisUrl: string): Promise<Koa.Middleware> {
    const redis = redisForRequests(redisUrl)
    this.redis = redis
    const { redisPrefix } = this.config
    this.queues = await Promise.all(NAMES.map((name) => jobQueue(name, redis, redisPrefix)))
    return openBoard(this.queues, PATH)
  }

  async close(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.close()))
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
