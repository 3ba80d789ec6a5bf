import { BroadcastChannel, MessageChannel } from 'node:worker_threads'

/** A client test runs in a vm context with the globals of happy-dom, which lacks these two. */
Object.assign(globalThis, { BroadcastChannel, MessageChannel })
