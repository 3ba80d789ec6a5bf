import { vi } from 'vitest'
import { FakeSocket } from '#client/testing/fake-socket.ts'

/** The state of the member's screens, in the terms of `ModelGateway.view`. */
export type Screen = {
  active: boolean | undefined
  pending: string | undefined
  balance: string | undefined
  tasks: string[] | undefined
  referrer: string | null | undefined
  payouts: number | undefined
  fullName: string | null | undefined
  kycStatus: string | undefined
}

/**
 * Loads the client as a new page does: modules with their own state, which share storage, cookies and
 * locks with the other pages. `socketOpens` is false where WebSockets are blocked.
 */
export async function openPage({ socketOpens = true } = {}) {
  vi.resetModules()
  const [data, referral, tasks, offline, commands, definitions, live, signIn, toasts] =
    await Promise.all([
      import('#client/data/member-data.ts'),
      import('#client/data/referral-info.ts'),
      import('#client/screens/tasks/completed-tasks.ts'),
      import('#client/offline/snapshots.ts'),
      import('#client/commands/commands.ts'),
      import('#client/all-commands.ts'),
      import('#client/live/live.ts'),
      import('#client/sign-in/sign-in.ts'),
      import('#client/testing/toasts.ts'),
      import('#client/testing/all-texts.ts'),
    ])
  const actions = {
    ...(await import('#client/screens/mine/mining-commands.ts')),
    ...(await import('#client/screens/tasks/task-commands.ts')),
    ...(await import('#client/screens/team/team-commands.ts')),
    ...(await import('#client/screens/account/profile-commands.ts')),
    ...(await import('#client/screens/account/identity/kyc-commands.ts')),
  }
  const sockets: FakeSocket[] = []
  const openSocket = () => {
    const socket = new FakeSocket()
    sockets.push(socket)
    if (socketOpens) setTimeout(() => socket.opens(), 50)
    return socket as never
  }
  const { store } = await import('#client/data/query-cache.ts')
  const recorder = toasts.recordToasts()
  const stops = [
    offline.startRestore(),
    signIn.followSignIn(),
    commands.startCommands(definitions.definitionOf),
    offline.keepSnapshots(),
    ...[data.userAtom, data.miningAtom, data.walletAtom, data.activityAtom].map((atom) =>
      store.sub(atom, () => {}),
    ),
    store.sub(referral.referralAtom, () => {}),
    store.sub(tasks.completedAtom, () => {}),
    live.startLive(async () => openSocket),
    recorder.stop,
  ]

  return {
    actions,
    commands: () => store.get(commands.commandsAtom),
    undo: commands.undoCommand,
    isSignedIn: () => Boolean(store.get(data.userAtom).data),
    /** The toasts of this page so far, as `title: description`. */
    toasts: recorder.texts,
    reconnect() {
      window.dispatchEvent(new Event('online'))
      const socket = sockets.at(-1)
      if (socketOpens && socket && !socket.connected) socket.opens()
    },
    loseSocket: () => sockets.at(-1)?.breaks(),
    screen(): Screen {
      const mining = store.get(data.miningAtom).data
      const team = store.get(referral.referralAtom).data
      const user = store.get(data.userAtom).data
      return {
        active: mining?.active,
        pending: mining?.pendingRewards,
        balance: store.get(data.walletAtom).data?.tesp[0]?.balance,
        tasks: store.get(tasks.completedAtom).data?.completedTasks.map(({ taskId }) => taskId),
        referrer: team && (team.referrer?.username ?? null),
        payouts: team?.usdtRewards.length,
        fullName: user?.fullName,
        kycStatus: user?.kycStatus,
      }
    },
    /** The page is gone. */
    close() {
      for (const stop of stops) stop()
    },
  }
}

export type Page = Awaited<ReturnType<typeof openPage>>
