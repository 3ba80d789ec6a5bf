type Listener = (...args: unknown[]) => void

/** A socket whose other end is the test. */
export class FakeSocket {
  connected = false
  active = true
  recovered = false
  tries = 0
  readonly listeners = new Map<string, Listener>()
  /** Its manager, as far as heartbeats go. */
  readonly io = { on() {}, off() {} }
  on(name: string, listener: Listener) {
    this.listeners.set(name, listener)
    return this
  }
  connect() {
    this.tries += 1
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
  says(name: string, ...args: unknown[]) {
    this.listeners.get(name)?.(...args)
  }
  opens(recovered = false) {
    this.connected = true
    this.recovered = recovered
    this.says('connect')
  }
  breaks(active = true) {
    this.connected = false
    this.active = active
    this.says('disconnect', 'transport close')
  }
  fails() {
    this.connected = false
    this.active = true
    this.says('connect_error', new Error('websocket error'))
  }
}
