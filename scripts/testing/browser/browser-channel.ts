import { BroadcastChannel } from 'node:worker_threads'

/**
 * The `BroadcastChannel` class of one browser. Node's class connects all threads of the process, so
 * a sign-out in one test file would sign out the members of the files that run at the same time.
 */
export function browserChannel(browser: string): typeof BroadcastChannel {
  return class extends BroadcastChannel {
    constructor(name: string) {
      super(`${browser}:${name}`)
    }
  }
}
