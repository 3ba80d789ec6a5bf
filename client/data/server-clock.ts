/** How far the clock of the server is ahead of the device's, ms, as of the answer of `asOf`. */
let clock = { asOf: 0, aheadMs: 0 }

/** Real time of the server, ms: that of the device decides nothing. */
export const serverNow = () => Date.now() + clock.aheadMs

/** Sets the clock by the newest answer only: a repeated one tells a later `readAt` of an old moment. */
export function setServerClock(asOf: number, readAt: number): void {
  if (asOf > clock.asOf) clock = { asOf, aheadMs: asOf - readAt }
}
