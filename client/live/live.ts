import {
  ACTIVITY_URL,
  MINING_URL,
  memberIdAtom,
  miningAtom,
  receiveSnapshot,
  recheckUser,
  refresh,
  retryFailedReads,
  snapshotOf,
  store,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { whenIdle } from '#client/loading/when-idle.ts'
import { endSignIn } from '#client/sign-in/sign-in.ts'
import { SECOND_MS } from '#rules/constants'
import {
  GRACE_MS,
  onNetworkBack,
  serverAnswered,
  socketExpected,
} from './connection/connection-state.ts'
import { startPolling } from './polling.ts'
import { watchAbsence } from './rewards/away-credits.ts'
import { followMoney } from './rewards/follow-money.ts'
import { missedCreditAlarm } from './rewards/missed-credit.ts'
import { announceReward } from './rewards/reward-toast.ts'
import { type LoadSocket, loadSocket } from './socket/load-socket.ts'
import { type ClientSocket, keepSocketConnected } from './socket/socket.ts'
import { teamPushed } from './team-push.ts'

/** Time over which clients spread their answers to one broadcast `refetch`, real ms. */
const REFETCH_SPREAD_MS = 2 * SECOND_MS
/** Age, real ms, up to which the reads of a page that has loaded need no repetition on connect. */
const JUST_READ_MS = 5 * SECOND_MS
/** Real ms from the first connect to the check of what changed between those reads and it. */
const FIRST_CHECK_MS = 20 * SECOND_MS

/** The first screen has all it shows, so the socket does not delay its first render. */
const loadOpenSocket: LoadSocket = async () => {
  await whenIdle()
  return (await import('./socket/open-socket.ts')).openSocket
}

/** One member's connection, from sign-in to sign-out. */
function connectMember(memberId: number, open: () => ClientSocket): () => void {
  const socket = open()
  let refetchTimer: ReturnType<typeof setTimeout> | undefined
  let stopPolling: (() => void) | undefined
  let checkTimer: ReturnType<typeof setTimeout> | undefined
  let isFirstConnect = true
  const openedAt = Date.now()
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
    if (team) teamPushed()
  })
  socket.on('refetch', () => {
    clearTimeout(refetchTimer)
    refetchTimer = setTimeout(() => void refresh(), REFETCH_SPREAD_MS * Math.random())
  })
  socket.on('signed-out', endSignIn)
  const stopBack = onNetworkBack(retryFailedReads)

  // Mounts the status on every screen: polls compare it and the product clock follows it.
  const absence = watchAbsence(memberId)
  const onMoney = followMoney()
  const onStatusChange = () => {
    const status = snapshotOf(MINING_URL)
    alarm.arm(status)
    absence.onStatus()
    onMoney()
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
      const wasJustRead = isFirstConnect && Date.now() - openedAt < JUST_READ_MS
      isFirstConnect = false
      // Reads of the page that has just loaded missed at most what changed since: one check follows.
      if (wasJustRead) checkTimer = setTimeout(() => refresh(MINING_URL), FIRST_CHECK_MS)
      else if (!recovered) void refresh()
    },
    onDisconnect() {
      clearTimeout(checkTimer)
      // A page that has just loaded has just read the status.
      stopPolling ??= startPolling(isFirstConnect ? GRACE_MS : undefined)
    },
    onReject: recheckUser,
    onResume: () => void refresh(),
  })

  return () => {
    clearTimeout(refetchTimer)
    clearTimeout(checkTimer)
    stopBack()
    alarm.stop()
    absence.stop()
    stopPolling?.()
    stopStatus()
    closeSocket()
  }
}

/** Keeps a socket open for the signed-in member until the returned function. */
export function startLive(load: LoadSocket = loadOpenSocket): () => void {
  let memberId: number | undefined
  let disconnect: (() => void) | undefined

  const follow = () => {
    const next = store.get(memberIdAtom)
    if (next === memberId) return
    memberId = next
    disconnect?.()
    disconnect =
      next === undefined ? undefined : loadSocket(load, (open) => connectMember(next, open))
  }
  const stopFollowing = store.sub(memberIdAtom, follow)
  follow()
  return () => {
    stopFollowing()
    disconnect?.()
  }
}
