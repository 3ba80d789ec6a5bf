import { randomUUID } from 'node:crypto'
import { MessageChannel } from 'node:worker_threads'
import { browserChannel } from './browser-channel.ts'

/**
 * A client test runs in a vm context with the globals of happy-dom, which lacks these two. Each file
 * is a browser of its own.
 */
Object.assign(globalThis, { BroadcastChannel: browserChannel(randomUUID()), MessageChannel })
