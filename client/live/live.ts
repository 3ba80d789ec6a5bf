import { io } from 'socket.io-client'
import {
  ACTIVITY_URL,
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
import { endSignIn } from '#client/sign-in/sign-in.ts'
import { SOCKET_PATH } from '#contract/events'
import { SECOND_MS } from '#rules/constants'
import { serverAnswered, socketExpected } from './connection-state.ts'
import { missedCreditAlarm } from './missed-credit.ts'
import { startPolling } from './polling.ts'
import { announceReward } from './reward-toast.ts'
import { type ClientSocket, keepSocketConnected } from './socket.ts'

/** Time over which clients spread their answers to one broadcast `refetch`, real ms. */
const REFETCH_SPREAD_MS = 2 * SECOND_MS
/** Real ms after which a handshake counts as failed. */
const HANDSHAKE_TIMEOUT_MS = 10 * SECOND_MS

function openSocket(): ClientSocket {
  return io({
    path: SOCKET_PATH,
    transports: ['websocket'],
    withCredentials: true,
    timeout: HANDSHAKE_TIMEOUT_MS,
    // The first retry follows after 0.4…1.6 s, so that clients do not all reconnect to a restarted
    // gateway at the same time.
    reconnectionDelay: SECOND_MS,
    reconnectionDelayMax: 15 * SECOND_MS,
    randomizationFactor: 0.6,
    autoConnect: false,
  })
}

/** One member's connection, from sign-in to sign-out. */
function connectMember(memberId: number, open: () => ClientSocket): () => void {
  const socket = open()
  let refetchTimer: ReturnType<typeof setTimeout> | undefined
  let stopPolling: (() => void) | undefined
  const alarm = missedCreditAlarm(() => {
    if (socket.connected) void refresh()
  })

  socket.on('changed', ({ mining, wallet, team }) => {
    if (wallet) {
      receiveSnapshot(WALLET_URL, wallet)
      // Carries no rows, since few screens show them.
      void refresh(ACTIVITY_URL)
    }
    if (mining) receiveSnapshot(MINING_URL, mining)
    // Carries no snapshot, since few screens show the team.
    if (team) void refresh(REFERRAL_URL)
  })
  socket.on('refetch', () => {
    clearTimeout(refetchTimer)
    refetchTimer = setTimeout(() => void refresh(), REFETCH_SPREAD_MS * Math.random())
  })
  socket.on('signed-out', endSignIn)

  // Mounts the status on every screen: polls compare it and the product clock follows it.
  const onStatusChange = () => {
    const status = snapshotOf(MINING_URL)
    alarm.arm(status)
    announceReward(memberId, status)
  }
  const stopStatus = store.sub(miningAtom, onStatusChange)
  onStatusChange()
  socketExpected()
  const closeSocket = keepSocketConnected(socket, {
    onConnect(recovered) {
      stopPolling?.()
      stopPolling = undefined
      serverAnswered()
      if (!recovered) void refresh()
    },
    onDisconnect() {
      stopPolling ??= startPolling()
    },
    onReject: recheckUser,
    onResume: () => void refresh(),
  })

  return () => {
    clearTimeout(refetchTimer)
    alarm.stop()
    stopPolling?.()
    stopStatus()
    closeSocket()
  }
}

/** Keeps a socket open for the signed-in member until the returned function. */
export function startLive(open: () => ClientSocket = openSocket): () => void {
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
