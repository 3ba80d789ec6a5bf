import { io } from 'socket.io-client'
import {
  ACTIVITY_URL,
  confirmRestored,
  MINING_URL,
  memberIdAtom,
  miningAtom,
  receiveSnapshot,
  recheckUser,
  refresh,
  snapshotOf,
  store,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { REFERRAL_URL } from '#client/data/referral-info.ts'
import { resumePresses } from '#client/resume-commands.ts'
import { endSignIn } from '#client/sign-in/sign-in.ts'
import { SOCKET_PATH } from '#contract/events'
import { SECOND_MS } from '#rules/constants'
import { socketExpected } from './connection-state.ts'
import { overdueAlarm } from './missed-credit.ts'
import { startPolling } from './polling.ts'
import { announceReward } from './reward-toast.ts'
import { keepSocketConnected, type LiveSocket } from './socket.ts'

/** How far the answers to one `refetch` for everybody are spread. */
const REFETCH_SPREAD_MS = 2 * SECOND_MS
/** A handshake that takes longer is taken for one that never ends. */
const HANDSHAKE_MS = 10 * SECOND_MS

function openSocket(): LiveSocket {
  return io({
    path: SOCKET_PATH,
    transports: ['websocket'],
    withCredentials: true,
    timeout: HANDSHAKE_MS,
    // The first try falls anywhere in 0.4…1.6 s: a restarted gateway is not asked by all at once.
    reconnectionDelay: SECOND_MS,
    reconnectionDelayMax: 15 * SECOND_MS,
    randomizationFactor: 0.6,
    autoConnect: false,
  })
}

/** One member's connection, from sign-in to sign-out. */
function connectMember(memberId: number, open: () => LiveSocket): () => void {
  const socket = open()
  let spread: ReturnType<typeof setTimeout> | undefined
  let stopPolling: (() => void) | undefined
  const alarm = overdueAlarm(() => {
    if (socket.connected) void refresh()
  })

  socket.on('mining', (status) => receiveSnapshot(MINING_URL, status))
  socket.on('wallet', (wallet) => receiveSnapshot(WALLET_URL, wallet))
  socket.on('activity', (page) => receiveSnapshot(ACTIVITY_URL, page))
  // A hint alone, since few screens show the team.
  socket.on('team', () => void refresh(REFERRAL_URL))
  socket.on('refetch', () => {
    clearTimeout(spread)
    spread = setTimeout(() => void refresh(), REFETCH_SPREAD_MS * Math.random())
  })
  socket.on('signed-out', endSignIn)

  // Keeps the status known on every screen: it is what the poll compares and the clock runs on.
  const heed = () => {
    const status = snapshotOf(MINING_URL)
    alarm.arm(status)
    announceReward(memberId, status)
  }
  const stopStatus = store.sub(miningAtom, heed)
  heed()
  void resumePresses(memberId)
  socketExpected()
  const closeLink = keepSocketConnected(socket, {
    up(recovered) {
      stopPolling?.()
      stopPolling = undefined
      confirmRestored()
      if (!recovered) void refresh()
    },
    down() {
      stopPolling ??= startPolling()
    },
    refused: recheckUser,
    woken: () => void refresh(),
  })

  return () => {
    clearTimeout(spread)
    alarm.stop()
    stopPolling?.()
    stopStatus()
    closeLink()
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
