import { setTimeout as sleep } from 'node:timers/promises'
import type { PatroniGroup } from './cluster/patroni-group.ts'
import type { PatroniNode } from './cluster/patroni-node.ts'

const STALL_MS = 1_000

/** A fault of the primary; `undo` is called when another node has taken over. */
export type Fault = {
  title: string
  strike(primary: PatroniNode): Promise<void>
  undo(former: PatroniNode): Promise<void> | void
}

export const KILL: Fault = {
  title: 'kill -9 of Patroni and PostgreSQL',
  strike: (primary) => primary.kill(),
  undo: (former) => former.start(),
}

/** Nothing that is committed in the last second reaches a replica, so it must not be confirmed. */
export const STALL_AND_KILL: Fault = {
  ...KILL,
  title: 'replication stops, kill -9 a second later',
  async strike(primary) {
    primary.stopSendingWal()
    await sleep(STALL_MS)
    await primary.kill()
  },
}

export const FREEZE: Fault = {
  title: 'Patroni and PostgreSQL frozen',
  strike: async (primary) => primary.signal('SIGSTOP'),
  undo: (former) => former.signal('SIGCONT'),
}

/** `POST /switchover` as `patronictl switchover` sends it. */
export const switchover = (group: PatroniGroup): Fault => ({
  title: 'planned switchover',
  strike: (primary) => group.switchover(primary),
  undo: () => {},
})
