import { vi } from 'vitest'

/** A VAPID key: 65 bytes in base64url. */
export const PUSH_KEY = `B${'a'.repeat(85)}A`
export const OTHER_KEY = `B${'b'.repeat(85)}A`

const bytesOf = (key: string) =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))

class FakeSubscription {
  readonly options: { applicationServerKey: ArrayBuffer }
  constructor(
    private readonly browser: FakePush,
    readonly endpoint: string,
    key: string,
  ) {
    this.options = { applicationServerKey: bytesOf(key).buffer }
  }
  toJSON() {
    return { endpoint: this.endpoint, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } }
  }
  async unsubscribe() {
    this.browser.subscription = null
    return true
  }
}

/** A browser with notifications; happy-dom has none. */
export class FakePush {
  subscription: FakeSubscription | null = null
  permission: NotificationPermission = 'default'
  /** What the member answers when asked. */
  answer: NotificationPermission = 'granted'
  asked = 0
  hasService = true
  private endpoints = 0

  readonly pushManager = {
    getSubscription: async () => this.subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      if (!this.hasService) throw new DOMException('push service error', 'AbortError')
      this.subscription ??= this.newSubscription(applicationServerKey)
      return this.subscription
    },
  }

  newSubscription(key = PUSH_KEY): FakeSubscription {
    this.endpoints += 1
    return new FakeSubscription(this, `https://push.example/${this.endpoints}`, key)
  }

  async requestPermission(): Promise<NotificationPermission> {
    this.asked += 1
    this.permission = this.answer
    return this.permission
  }
}

/**
 * Gives the browser notifications until `removePush`.
 * @param registered when its service worker is registered and active
 */
export function installPush(registered: Promise<void> = Promise.resolve()): FakePush {
  const fake = new FakePush()
  const registration = { pushManager: fake.pushManager, active: {} }
  let found: typeof registration | undefined
  const ready = registered.then(() => {
    found = registration
    return registration
  })
  const serviceWorker = Object.assign(new EventTarget(), {
    ready,
    getRegistration: async () => found,
  })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    get permission() {
      return fake.permission
    },
    requestPermission: () => fake.requestPermission(),
  })
  return fake
}

/** Removes what `installPush` added; `vi.unstubAllGlobals` removes the rest. */
export function removePush(): void {
  Reflect.deleteProperty(navigator, 'serviceWorker')
}
