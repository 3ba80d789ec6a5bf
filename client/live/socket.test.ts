import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { store } from '#client/data/query-cache.ts'
import { FakeSocket } from '#client/testing/fake-socket.ts'
import { connectionAtom, pollAnswered, socketExpected } from './connection-state.ts'
import type { ClientSocket } from './open-socket.ts'
import { onResume } from './page-resume.ts'
import { BLOCKED_MS, blockedForMs, keepSocketConnected } from './socket.ts'

let socket: FakeSocket
let close = () => {}
const callbacks = {
  onConnect: vi.fn(),
  onDisconnect: vi.fn(),
  onReject: vi.fn(),
}

function open() {
  close()
  socket = new FakeSocket()
  socketExpected()
  close = keepSocketConnected(socket as unknown as ClientSocket, callbacks)
}

/** Opens a socket on a network that answers HTTP and blocks WebSockets. */
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
  it('blocked WebSockets are detected when sockets fail while HTTP is answered', () => {
    blockSockets()
    expect(state()).toBe('polling')
    expect(callbacks.onDisconnect).toHaveBeenCalled()
    expect(blockedForMs()).toBe(BLOCKED_MS)
    const { attempts } = socket
    vi.advanceTimersByTime(BLOCKED_MS - 1)
    expect(socket.attempts).toBe(attempts)
  })

  it('WebSockets do not count as blocked when HTTP fails too or a socket was open before', () => {
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

  it('the next page polls without a socket for 15 minutes', () => {
    blockSockets()
    open()
    expect(state()).toBe('polling')
    expect(callbacks.onDisconnect).toHaveBeenCalled()
    expect(socket.attempts).toBe(0)
    vi.advanceTimersByTime(BLOCKED_MS)
    expect(socket.attempts).toBe(1)
    expect(state()).toBe('polling')
    socket.opens()
    expect(state()).toBe('live')
    expect(blockedForMs()).toBe(0)
  })

  it('a failed attempt after 15 minutes blocks WebSockets again', () => {
    blockSockets()
    open()
    vi.advanceTimersByTime(BLOCKED_MS)
    pollAnswered(true)
    socket.fails()
    expect(state()).toBe('polling')
    expect(blockedForMs()).toBe(BLOCKED_MS)
  })

  it('a blocked socket connects when the browser is on another network', () => {
    blockSockets()
    const { attempts } = socket
    window.dispatchEvent(new Event('online'))
    vi.advanceTimersByTime(10)
    expect(socket.attempts).toBe(attempts + 1)
    socket.opens()
    expect(state()).toBe('live')
  })
})

it('one failed reconnect after WebSockets were blocked and opened does not block them', () => {
  blockSockets()
  window.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(10)
  socket.opens()
  socket.breaks()
  pollAnswered(true)
  socket.fails()
  expect(blockedForMs()).toBe(0)
})

describe('a handshake that the server rejects', () => {
  function reject(message: string) {
    socket.active = false
    socket.receives('connect_error', new Error(message))
  }

  it.each(['not_signed_in', 'unavailable', 'too_many_requests'])(
    'only a handshake without a sign-in asks who is signed in: %s',
    (message) => {
      open()
      reject(message)
      expect(callbacks.onReject).toHaveBeenCalledTimes(message === 'not_signed_in' ? 1 : 0)
    },
  )

  it('each further rejection doubles the pause up to 30 s until a socket opens', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    open()
    const pauses = [1, 2, 3, 4, 5].map(() => {
      reject('unavailable')
      const { attempts } = socket
      let seconds = 0
      while (socket.attempts === attempts) {
        vi.advanceTimersByTime(1_000)
        seconds += 1
      }
      return seconds
    })
    expect(pauses).toEqual([5, 10, 20, 30, 30])
    socket.opens()
    const { attempts } = socket
    reject('unavailable')
    vi.advanceTimersByTime(5_000)
    expect(socket.attempts).toBe(attempts + 1)
  })
})

describe('a network that is back', () => {
  it('an answered poll triggers one reconnect before the pause is over', () => {
    open()
    socket.opens()
    socket.breaks()
    pollAnswered(false)
    socket.fails()
    const { attempts } = socket
    vi.advanceTimersByTime(10_000)
    pollAnswered(true)
    vi.advanceTimersByTime(2_000)
    expect(socket.attempts).toBe(attempts + 1)
    pollAnswered(true)
    vi.advanceTimersByTime(10_000)
    expect(socket.attempts).toBe(attempts + 1)
  })

  it('an answered poll triggers no reconnect while WebSockets are blocked', () => {
    blockSockets()
    const { attempts } = socket
    pollAnswered(false)
    pollAnswered(true)
    vi.advanceTimersByTime(2_000)
    expect(socket.attempts).toBe(attempts)
  })
})

describe('a socket that newer ones replaced', () => {
  function replace() {
    open()
    socket.opens()
    socket.receives('replaced')
    socket.breaks(false)
  }

  it('a replaced socket polls and does not reconnect by itself for minutes', () => {
    replace()
    expect(callbacks.onDisconnect).toHaveBeenCalled()
    pollAnswered(false)
    pollAnswered(true)
    vi.advanceTimersByTime(7 * 60_000)
    expect(socket.attempts).toBe(1)
    vi.advanceTimersByTime(16 * 60_000)
    expect(socket.attempts).toBe(2)
  })

  it('a replaced socket reconnects when its page becomes visible', () => {
    replace()
    document.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(10)
    expect(socket.attempts).toBe(2)
    socket.opens()
    expect(state()).toBe('live')
    socket.breaks(false)
    vi.advanceTimersByTime(7_500)
    expect(socket.attempts).toBe(3)
  })
})

describe('a page that slept', () => {
  const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms)
  const resumed = vi.fn()
  let stopResume = () => {}

  beforeEach(() => {
    stopResume = onResume(resumed)
  })
  afterEach(() => stopResume())

  it('a page that slept reconnects immediately', () => {
    open()
    socket.opens()
    sleep(60_000)
    vi.advanceTimersByTime(5_010)
    expect(socket.attempts).toBe(2)
    expect(resumed).toHaveBeenCalledTimes(1)
  })

  it('a slow handshake after a sleep is not begun again', () => {
    open()
    socket.opens()
    // The client of Socket.IO reports the end that it was asked for.
    vi.spyOn(socket, 'disconnect').mockImplementation(() => {
      socket.connected = false
      socket.active = false
      socket.receives('disconnect', 'io client disconnect')
      socket.active = true
      return socket
    })
    sleep(60_000)
    vi.advanceTimersByTime(13_000)
    expect(socket.attempts).toBe(2)
  })

  it.each(['resume', 'pageshow'])('the %s event of a frozen page reconnects', (name) => {
    open()
    socket.opens()
    const event = Object.assign(new Event(name), { persisted: true })
    const target = name === 'resume' ? document : window
    target.dispatchEvent(event)
    vi.advanceTimersByTime(10)
    expect(socket.attempts).toBe(2)
    expect(resumed).toHaveBeenCalledTimes(1)
  })

  it('a page that was only hidden keeps its socket', () => {
    open()
    socket.opens()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    sleep(55_000)
    vi.advanceTimersByTime(5_010)
    expect(resumed).not.toHaveBeenCalled()
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(10)
    expect(resumed).toHaveBeenCalledTimes(1)
    expect(socket.attempts).toBe(1)
  })
})
