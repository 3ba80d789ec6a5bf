import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '#gateway/http/http-server'
import type { PushPayload } from '#rules/members/reminders'
import { PushDevice } from './push-device.ts'

/** A message that the service has accepted and its device has decrypted. */
export type Delivery = { device: PushDevice; headers: IncomingHttpHeaders; payload: PushPayload }

/** What the service answers instead of accepting a message. */
type Refusal = { status: number; headers?: Record<string, string> }

/** A push service on this machine, with the devices that are subscribed to it. */
export type PushService = {
  origin: string
  deliveries: Delivery[]
  /** Answer to each message; undefined accepts them. */
  refusal: Refusal | undefined
  /** Whether a message is accepted; otherwise its connection is closed without an answer. */
  beforeAccept: () => Promise<boolean> | boolean
  /** Called with each accepted message before it is answered. */
  beforeAnswer: (delivery: Delivery) => Promise<void> | void
  subscribe(): PushDevice
  /** The notifications that a device shows: a later one with the same tag replaces the first. */
  shownOn(device: PushDevice): PushPayload[]
  close(): Promise<void>
}

/** Starts it; tests set `PUSH_PRIVATE_ENDPOINTS` to `on`. */
export async function pushService(): Promise<PushService> {
  const devices = new Map<string, PushDevice>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const device = devices.get(request.url ?? '')
    const { refusal } = service
    if (!(await service.beforeAccept())) return void request.destroy()
    if (!device || refusal) {
      response.writeHead(refusal?.status ?? 410, refusal?.headers).end()
      return
    }
    const payload = JSON.parse(device.decrypt(body))
    const delivery = { device, headers: request.headers, payload }
    service.deliveries.push(delivery)
    await service.beforeAnswer(delivery)
    response.writeHead(201).end()
  })
  const port = await listen(server, 0, '127.0.0.1')
  const service: PushService = {
    origin: `http://127.0.0.1:${port}`,
    deliveries: [],
    refusal: undefined,
    beforeAccept: () => true,
    beforeAnswer: () => {},
    subscribe() {
      const path = `/${randomBytes(12).toString('base64url')}`
      const device = new PushDevice(`${service.origin}${path}`)
      devices.set(path, device)
      return device
    },
    shownOn(device) {
      const own = service.deliveries.filter((one) => one.device === device)
      return [...new Map(own.map(({ payload }) => [payload.tag, payload])).values()]
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}
