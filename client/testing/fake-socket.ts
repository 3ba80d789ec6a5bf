type Listener = (...args: unknown[]) => void

/** A Socket.IO client socket that the test controls. */
export class FakeSocket {
  connected = false
  active = true
  recovered = false
  attempts = 0
  readonly listeners = new Map<string, Listener>()
  /** The manager, which only delivers heartbeats here. */
  readonly io = { on() {}, off() {} }
  on(name: string, listener: Listener) {
    this.listeners.set(name, listener)
    return this
  }
  connect() {
    this.attempts += 1
    return this
  }
  disconnect() {
    this.connected = false
    return this
  }
  removeAllListeners() {
    this.listeners.clear()
    return this
  }
  receives(name: string, ...args: unknown[]) {
    this.listeners.get(name)?.(...args)
  }
  opens(recovered = false) {
    this.connected = true
    this.recovered = recovered
    this.receives('connect')
  }
  breaks(active = true) {
    this.connected = false
    this.active = active
    this.receives('disconnect', 'transport close')
  }
  fails() {
    this.connected = false
    this.active = true
    this.receives('connect_error', new Error('websocket error'))
  }
}
