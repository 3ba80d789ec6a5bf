import type { Server, Socket } from 'socket.io'
import type { ClientEvents, ServerEvents } from '#contract/events'

/** Data of an authenticated socket. `expiresAt` is real time in ms. */
export type SocketData = { memberId: number; epoch: number; authSession: string; expiresAt: number }
export type LiveServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>

/** Room of all sockets of a member. */
export const memberRoom = (memberId: number) => `user:${memberId}`
/** Room of all sockets of one sign-in. */
export const authRoom = (authSession: string) => `auth:${authSession}`
