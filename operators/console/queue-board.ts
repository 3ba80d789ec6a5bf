import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  ControllerHandlerReturnType,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app'
import Router from '@koa/router'
import { send } from '@koa/send'
import type { Queue } from 'bullmq'
import type Koa from 'koa'
import { refuse } from '#operators/actions/action-log'
import { openQueues } from '#operators/ops/status'
import type { Config } from '#runtime/config/config'
import { redisForRequests } from '#runtime/redis'
import type { RedisClient } from '#runtime/redis/redis-client'
import { html } from './html.ts'
import { type ConsoleServices, operatorOf } from './http.ts'
import { refuseRole } from './pages.ts'
import { mayOpenBoard } from './roles.ts'

const list = <T>(value: T | T[]) => (Array.isArray(value) ? value : [value])

/** Fills `<%= name %>` (escaped) and `<%- name %>` (as it is), all that the page of the board uses. */
function filled(template: string, values: Record<string, string>): string {
  return template.replace(/<%([=-])\s*(\w+)\s*%>/g, (_, kind: string, name: string) => {
    const value = values[name] ?? ''
    return kind === '=' ? html`${value}`.text : value
  })
}

/** Only GET routes exist, so nothing can be changed. `@bull-board/koa` brings 60 packages for a template engine. */
class ReadOnlyAdapter implements IServerAdapter {
  private readonly router = new Router()
  private queues: BullBoardQueues = new Map()
  private views = ''
  private uiConfig: UIConfig = {}
  private onError: (error: Error) => ControllerHandlerReturnType = () => ({ status: 500, body: {} })

  constructor(private readonly basePath: string) {
    this.router.prefix(basePath)
  }

  setQueues = (queues: BullBoardQueues): this => Object.assign(this, { queues })
  setViewsPath = (views: string): this => Object.assign(this, { views })
  setUIConfig = (uiConfig: UIConfig): this => Object.assign(this, { uiConfig })
  setErrorHandler = (onError: typeof this.onError): this => Object.assign(this, { onError })

  setStaticPath(route: string, folder: string): this {
    this.router.get(`${route}/*file`, async (ctx) => {
      const file = ctx.path.slice(this.basePath.length + route.length)
      // A missing file is answered 404.
      await send(ctx as unknown as Koa.Context, file, { root: folder }).catch(() => {})
    })
    return this
  }

  setEntryRoute({ route, handler }: AppViewRoute): this {
    for (const each of list(route)) {
      this.router.get(each, async (ctx) => {
        const { name, params } = handler({ basePath: this.basePath, uiConfig: this.uiConfig })
        ctx.type = 'html'
        ctx.body = filled(await readFile(path.join(this.views, name), 'utf8'), params)
      })
    }
    return this
  }

  setApiRoutes(routes: AppControllerRoute[]): this {
    for (const { method, route, handler } of routes) {
      if (!list(method).includes('get')) continue
      for (const each of list(route)) {
        this.router.get(each, async (ctx) => {
          const { queues, uiConfig } = this
          const { params, query } = ctx
          const answer = await Promise.resolve(
            handler({ queues, uiConfig, params, query, body: {}, headers: {} }),
          ).catch(this.onError)
          ctx.status = answer.status ?? 200
          ctx.body = answer.body
        })
      }
    }
    return this
  }

  routes(): Koa.Middleware {
    return this.router.routes() as unknown as Koa.Middleware
  }
}

/** The board needs its own script, and styles in its page. */
const BOARD_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Bull Board is loaded with the first page. */
async function openBoard(queues: Queue[], basePath: string): Promise<Koa.Middleware> {
  const [{ createBullBoard }, { BullMQAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
  ])
  const serverAdapter = new ReadOnlyAdapter(basePath)
  // Operators change jobs by `npm run ops`; the board does not offer it.
  const adapters = queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }))
  createBullBoard({ queues: adapters, serverAdapter })
  return serverAdapter.routes()
}

const PATH = '/queues/board'

/** Opened with the first page and kept. */
export class QueueBoard {
  private redis: RedisClient | undefined
  private opened: Promise<Queue[]> | undefined
  private board: Promise<Koa.Middleware> | undefined

  constructor(private readonly config: Config) {}

  /** @throws {RuleError} `bad_input` without REDIS_URL */
  queues = (): Promise<Queue[]> => {
    const { redisUrl, redisPrefix } = this.config
    if (!redisUrl) refuse('Set REDIS_URL to see the queues')
    this.redis ??= redisForRequests(redisUrl)
    this.opened ??= openQueues(this.redis, redisPrefix)
    return this.opened
  }

  pages(): Promise<Koa.Middleware> | undefined {
    if (!this.config.redisUrl) return undefined
    this.board ??= this.queues().then((queues) => openBoard(queues, PATH))
    return this.board
  }

  async close(): Promise<void> {
    await Promise.all(((await this.opened) ?? []).map((queue) => queue.close()))
    this.redis?.disconnect()
  }
}

/** Only this path has a policy that lets scripts run. */
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
