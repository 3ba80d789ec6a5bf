// Plain Node, for `--import`. Shifts this process's clock by the milliseconds in CLOCK_SHIFT_FILE, read at start and
// on SIGUSR2, so it can jump during work. Timers and performance.now() do not jump, as on a real machine. What was
// read is written to a file beside it whose name ends in the process id.
import fs from 'node:fs'

const RealDate = Date
let shiftMs = 0
const readShift = () => {
  shiftMs = Number(fs.readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8'))
  fs.writeFileSync(`${process.env.CLOCK_SHIFT_FILE}.${process.pid}`, String(shiftMs))
}
readShift()
process.on('SIGUSR2', readShift)

const now = () => RealDate.now() + shiftMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
