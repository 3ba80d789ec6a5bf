import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { store } from '#client/data/member-data.ts'
import { FakeSocket } from '#client/testing/fake-socket.ts'
import { connectionAtom, pollAnswered, socketExpected } from './connection-state.ts'
import { keepSocketConnected, type LiveSocket } from './socket.ts'
import { BLOCKED_MS, blockedForMs } from './websocket-blocked.ts'

let socket: FakeSocket
let close = () => {}
const on = { up: vi.fn(), down: vi.fn(), refused: vi.fn(), woken: vi.fn() }

function open() {
  close()
  socket = new FakeSocket()
  socketExpected()
  close = keepSocketConnected(socket as unknown as LiveSocket, on)
}

/** A network that answers HTTP and lets no socket through. */
function blockSockets() {
  open()
  for (const _ of [1, 2]) {
    pollAnswered(true)
    vi.advanceTimersByTime(1_000)
    socket.fails()
  }
}

const state = () => store.get(connectionAtom).state

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  vi.clearAllMocks()
})
afterEach(() => {
  close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('a network without WebSockets', () => {
  it('is found out once sockets fail while HTTP answers', () => {
    blockSockets()
    expect(state()).toBe('polling')
    expect(on.down).toHaveBeenCalled()
    expect(blockedForMs()).toBe(BLOCKED_MS)
    const { tries } = socket
    vi.advanceTimersByTime(BLOCKED_MS - 1)
    expect(socket.tries).toBe(tries)
  })

  it('is not suspected where HTTP fails too, or where a socket was open before', () => {
    vi.advanceTimersByTime(60_000)
    open()
    for (let n = 0; n < 5; n += 1) socket.fails()
    expect(blockedForMs()).toBe(0)
    open()
    socket.opens()
    for (let n = 0; n < 5; n += 1) {
      pollAnswered(true)
      socket.fails()
    }
    expect(blockedForMs()).toBe(0)
  })

  it('is remembered for 15 minutes: the next page polls at once and tries nothing', () => {
    blockSockets()
    open()
    expect(state()).toBe('polling')
    expect(on.down).toHaveBeenCalled()
    expect(socket.tries).toBe(0)
    vi.advanceTimersByTime(BLOCKED_MS)
    expect(socket.tries).toBe(1)
    expect(state()).toBe('polling')
    socket.opens()
    expect(state()).toBe('live')
    expect(blockedForMs()).toBe(0)
  })

  it('is tried quietly again, and remembered anew where that fails', () => {
    blockSockets()
    open()
    vi.advanceTimersByTime(BLOCKED_MS)
    pollAnswered(true)
    socket.fails()
    expect(state()).toBe('polling')
    expect(blockedForMs()).toBe(BLOCKED_MS)
  })

  it('is tried again as soon as the browser is on another network', () => {
    blockSockets()
    const { tries } = socket
    window.dispatchEvent(new Event('online'))
    vi.advanceTimersByTime(10)
    expect(socket.tries).toBe(tries + 1)
    socket.opens()
    expect(state()).toBe('live')
  })
})

describe('a network that was gone', () => {
  it('gets a new try once a poll is answered again, whatever pause or handshake is under way', () => {
    open()
    socket.opens()
    socket.breaks()
    pollAnswered(false)
    socket.fails()
    const { tries } = socket
    vi.advanceTimersByTime(10_000)
    pollAnswered(true)
    vi.advanceTimersByTime(2_000)
    expect(socket.tries).toBe(tries + 1)
    pollAnswered(true)
    vi.advanceTimersByTime(10_000)
    expect(socket.tries).toBe(tries + 1)
  })

  it('gets none where it is known to let no socket through', () => {
    blockSockets()
    const { tries } = socket
    pollAnswered(false)
    pollAnswered(true)
    vi.advanceTimersByTime(2_000)
    expect(socket.tries).toBe(tries)
  })
})

describe('a page that slept', () => {
  const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms)

  it('opens a new socket at once, since the old one may be dead without a word', () => {
    open()
    socket.opens()
    sleep(60_000)
    vi.advanceTimersByTime(5_010)
    expect(socket.tries).toBe(2)
    expect(on.woken).toHaveBeenCalledTimes(1)
  })

  it.each(['resume', 'pageshow'])('does so at %s', (sign) => {
    open()
    socket.opens()
    const event = Object.assign(new Event(sign), { persisted: true })
    const target = sign === 'resume' ? document : window
    target.dispatchEvent(event)
    vi.advanceTimersByTime(10)
    expect(socket.tries).toBe(2)
    expect(on.woken).toHaveBeenCalledTimes(1)
  })

  it('keeps its socket where it was only hidden for a while', () => {
    open()
    socket.opens()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    sleep(55_000)
    vi.advanceTimersByTime(5_010)
    expect(on.woken).not.toHaveBeenCalled()
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(10)
    expect(on.woken).toHaveBeenCalledTimes(1)
    expect(socket.tries).toBe(1)
  })
})
