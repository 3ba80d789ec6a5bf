import { BroadcastChannel, MessageChannel } from 'node:worker_threads'

/** The vm context of a client test holds the globals of happy-dom, which has no channels. */
Object.assign(globalThis, { BroadcastChannel, MessageChannel })
