import { io, type Socket } from 'socket.io-client'
import { type ClientEvents, type ServerEvents, SOCKET_PATH } from '#contract/events'
import { socketDown, socketExpected, socketUp } from './connection.ts'
import {
  ACTIVITY_URL,
  MINING_URL,
  memberIdAtom,
  miningAtom,
  receive,
  recheckUser,
  refresh,
  setUser,
  snapshotOf,
  store,
  WALLET_URL,
} from './data.ts'
import { announceReward } from './mine/reward-toast.ts'
import { overdueAlarm } from './overdue.ts'
import { startPolling } from './poll.ts'
import { resumePresses } from './resume.ts'
import { REFERRAL_URL } from './team/referral-info.ts'

export type LiveSocket = Socket<ServerEvents, ClientEvents>

/** How far the answers to one `refetch` for everybody are spread. */
const REFETCH_SPREAD_MS = 2_000
/** Pause before another try where the server itself closed the socket or refused it. */
const REFUSED_PAUSE_MS = 5_000

function openSocket(): LiveSocket {
  return io({
    path: SOCKET_PATH,
    transports: ['websocket'],
    withCredentials: true,
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 15_000,
    randomizationFactor: 0.5,
    autoConnect: false,
  })
}

/** One member's connection, from sign-in to sign-out. */
function connectMember(memberId: number, open: () => LiveSocket): () => void {
  const socket = open()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let stopPolling: (() => void) | undefined

  const later = (run: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }
  const alarm = overdueAlarm(() => {
    if (socket.connected) void refresh()
  })
  const down = () => {
    socketDown()
    stopPolling ??= startPolling()
  }
  const retryRefused = () => {
    // Without a reason to reconnect of its own Socket.IO stays closed for good.
    if (!socket.active) later(() => socket.connect(), REFUSED_PAUSE_MS * (0.5 + Math.random()))
  }
  // The browser knows at once what the socket would notice only by its missing heartbeat.
  const cutOff = () => socket.disconnect().connect()
  const woken = () => {
    if (document.hidden) return
    // The pause between tries may be long; whoever looks at the page should not wait for it.
    if (!socket.connected) cutOff()
    void refresh()
  }

  socket.on('connect', () => {
    stopPolling?.()
    stopPolling = undefined
    socketUp()
    if (!socket.recovered) void refresh()
  })
  socket.on('disconnect', () => {
    down()
    retryRefused()
  })
  socket.on('connect_error', () => {
    down()
    if (socket.active) return
    recheckUser()
    retryRefused()
  })
  socket.on('mining', (status) => receive(MINING_URL, status))
  socket.on('wallet', (wallet) => receive(WALLET_URL, wallet))
  socket.on('activity', (page) => receive(ACTIVITY_URL, page))
  // A hint alone, since few screens show the team.
  socket.on('team', () => void refresh(REFERRAL_URL))
  socket.on('refetch', () => later(() => void refresh(), REFETCH_SPREAD_MS * Math.random()))
  socket.on('signed-out', () => setUser(null))

  // Keeps the status known on every screen: it is what the poll compares and the clock runs on.
  const heed = () => {
    const status = snapshotOf(MINING_URL)
    alarm.arm(status)
    announceReward(memberId, status)
  }
  const stopStatus = store.sub(miningAtom, heed)
  heed()
  document.addEventListener('visibilitychange', woken)
  window.addEventListener('online', woken)
  window.addEventListener('offline', cutOff)
  void resumePresses(memberId)
  socketExpected()
  down()
  socket.connect()

  return () => {
    for (const timer of timers) clearTimeout(timer)
    alarm.stop()
    stopPolling?.()
    stopStatus()
    document.removeEventListener('visibilitychange', woken)
    window.removeEventListener('online', woken)
    window.removeEventListener('offline', cutOff)
    socket.removeAllListeners()
    socket.disconnect()
  }
}

/** Keeps a socket for whoever is signed in; the returned function ends that. */
export function startLive(open: () => LiveSocket = openSocket): () => void {
  let memberId: number | undefined
  let disconnect: (() => void) | undefined

  const follow = () => {
    const next = store.get(memberIdAtom)
    if (next === memberId) return
    memberId = next
    disconnect?.()
    disconnect = next === undefined ? undefined : connectMember(next, open)
  }
  const stopFollowing = store.sub(memberIdAtom, follow)
  follow()
  return () => {
    stopFollowing()
    disconnect?.()
  }
}
