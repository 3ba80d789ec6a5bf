// Plain Node, for `--import`: the clock of this process is that of the machine plus what the file
// CLOCK_SHIFT_FILE says in ms. It is read at the start and on SIGUSR2, so that the clock jumps in
// the middle of work. As on a real machine, timers and performance.now() do not jump.
import fs from 'node:fs'

const RealDate = Date
let shiftMs = 0
const readShift = () => {
  shiftMs = Number(fs.readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8'))
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
