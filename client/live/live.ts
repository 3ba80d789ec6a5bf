import { memberIdAtom, miningAtom, receiveSnapshot, snapshotOf } from '#client/data/member-data.ts'
import { type CacheUrl, store } from '#client/data/query-cache.ts'
import { recheckUser, refresh, rereadUser, retryFailedReads } from '#client/data/refresh.ts'
import { whenIdle } from '#client/first-load/when-idle.ts'
import { endSignIn } from '#client/sign-in/sign-in.ts'
import { SECOND_MS } from '#rules/constants'
import { watchAbsence } from './away-credits.ts'
import {
  connectionAtom,
  GRACE_MS,
  onNetworkBack,
  onServerAnswer,
  serverAnswered,
  socketBlocked,
  socketExpected,
} from './connection-state.ts'
import type { ClientSocket } from './open-socket.ts'
import { onResume } from './page-resume.ts'
import { startPolling } from './polling.ts'
import { missedCreditAlarm, refetchWalletOnChange } from './refetch-wallet.ts'
import { announceReward } from './reward-toast.ts'
import { blockedForMs, keepSocketConnected } from './socket.ts'
import { teamPushed } from './team-push.ts'

/** Time over which clients spread their answers to one broadcast `refetch`, real ms. */
const REFETCH_SPREAD_MS = 2 * SECOND_MS
/** The same for a change of the list of tasks, which pages show within a second. */
const TASKS_SPREAD_MS = SECOND_MS / 2
/** Age, real ms, up to which the reads of a page that has loaded need no repetition on connect. */
const JUST_READ_MS = 5 * SECOND_MS
/** Real ms from the first connect to the check of what changed between those reads and it. */
const FIRST_CHECK_MS = 20 * SECOND_MS

// Vite writes more code for an import whose exports are named beside it.
const importSocket = () => import('./open-socket.ts')
const importInboxRead = () => import('./inbox-read.ts')

/** The first screen has all it shows, so the socket does not delay its first render. */
const loadOpenSocket: LoadSocket = async () => {
  await whenIdle()
  return (await importSocket()).openSocket
}

function sendStoredMark(): void {
  // A page that cannot load it now tries again at the next answer.
  importInboxRead()
    .then(({ sendReadMark }) => sendReadMark())
    .catch(() => {})
}

function followMember(memberId: number): () => void {
  const absence = watchAbsence(memberId)
  const onMoney = refetchWalletOnChange()
  const onStatus = () => {
    absence.onStatus()
    onMoney()
    announceReward(memberId, snapshotOf('/api/mining/status'))
  }
  const stops = [
    // Mounts the status on every screen: polls compare it and the product clock follows it.
    store.sub(miningAtom, onStatus),
    onNetworkBack(retryFailedReads),
    onServerAnswer(sendStoredMark),
    onResume(() => void refresh()),
    absence.stop,
  ]
  onStatus()
  return () => {
    for (const stop of stops) stop()
  }
}

/** @param seenAt when the page saw the member, and read what it shows, real ms */
function connectMember(seenAt: number, open: () => ClientSocket): () => void {
  const socket = open()
  const timers: Partial<Record<'refetch' | 'tasks' | 'check', ReturnType<typeof setTimeout>>> = {}
  let stopPolling: (() => void) | undefined
  let isFirstConnect = true
  /** Reads these URLs, or all; a later call with the same timer replaces it. */
  const refreshLater = (timer: keyof typeof timers, ms: number, ...urls: CacheUrl[]) => {
    clearTimeout(timers[timer])
    timers[timer] = setTimeout(refresh, ms, ...urls)
  }
  // A socket that is lost polls.
  const alarm = missedCreditAlarm(
    () => socket.connected && void refresh(),
    () => socket.connected && void refresh('/api/mining/status'),
  )

  socket.on('changed', ({ mining, wallet, team, account, inbox }) => {
    if (wallet) {
      receiveSnapshot('/api/wallet', wallet)
      // Carries no rows, since few screens show them.
      void refresh('/api/wallet/activity')
    }
    if (mining) receiveSnapshot('/api/mining/status', mining)
    if (team) teamPushed()
    if (account) rereadUser()
    if (inbox) {
      receiveSnapshot('/api/inbox/state', inbox)
      void refresh('/api/inbox')
    }
  })
  socket.on('announced', (announced) => {
    receiveSnapshot('announced', announced)
    void refresh('/api/inbox')
  })
  socket.on('refetch', () => refreshLater('refetch', REFETCH_SPREAD_MS * Math.random()))
  socket.on('tasks', () => refreshLater('tasks', TASKS_SPREAD_MS * Math.random(), '/api/tasks'))
  socket.on('signed-out', endSignIn)
  const armAlarm = () => alarm.arm(snapshotOf('/api/mining/status'))
  const stopStatus = store.sub(miningAtom, armAlarm)
  armAlarm()
  if (store.get(connectionAtom).state === 'connecting') socketExpected()
  const closeSocket = keepSocketConnected(socket, {
    onConnect(recovered) {
      stopPolling?.()
      stopPolling = undefined
      serverAnswered()
      const wasJustRead = isFirstConnect && Date.now() - seenAt < JUST_READ_MS
      isFirstConnect = false
      // Reads of the page that has just loaded missed at most what changed since: one check follows.
      if (wasJustRead) refreshLater('check', FIRST_CHECK_MS)
      else if (!recovered) void refresh()
    },
    onDisconnect() {
      clearTimeout(timers.check)
      // A page that has just loaded has just read the status.
      stopPolling ??= startPolling(isFirstConnect ? GRACE_MS : undefined)
    },
    onReject: recheckUser,
  })

  return () => {
    for (const timer of Object.values(timers)) clearTimeout(timer)
    alarm.stop()
    stopPolling?.()
    stopStatus()
    closeSocket()
  }
}

function startMember(memberId: number, load: LoadSocket): () => void {
  const seenAt = Date.now()
  const stopFollowing = followMember(memberId)
  const disconnect = loadSocket(load, (open) => connectMember(seenAt, open))
  return () => {
    stopFollowing()
    disconnect()
  }
}

export function startLive(load: LoadSocket = loadOpenSocket): () => void {
  let memberId: number | undefined
  let disconnect: (() => void) | undefined

  const follow = () => {
    const next = store.get(memberIdAtom)
    if (next === memberId) return
    memberId = next
    disconnect?.()
    disconnect = next === undefined ? undefined : startMember(next, load)
  }
  const stopFollowing = store.sub(memberIdAtom, follow)
  follow()
  return () => {
    stopFollowing()
    disconnect?.()
  }
}

/** Pause before the code of the socket is requested again, real ms. */
const RETRY_MS = 5 * SECOND_MS

export type LoadSocket = () => Promise<() => ClientSocket>

/** Until the code of the socket is loaded the member's figures are polled. */
export function loadSocket(
  load: LoadSocket,
  connect: (open: () => ClientSocket) => () => void,
): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = startPolling(GRACE_MS)

  async function attempt(): Promise<void> {
    const open = await load().catch(() => undefined)
    if (stopped) return
    if (!open) {
      timer = setTimeout(attempt, RETRY_MS)
      return
    }
    stop()
    stop = connect(open)
  }
  if (blockedForMs() > 0) socketBlocked()
  else socketExpected()
  void attempt()
  return () => {
    stopped = true
    clearTimeout(timer)
    stop()
  }
}
