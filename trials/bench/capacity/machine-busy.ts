import os from 'node:os'

/** CPU time that all processes of the machine have used since its start, in seconds. */
export function machineBusySeconds(): number {
  const ms = os.cpus().reduce((sum, { times }) => {
    const { user, nice, sys, irq } = times
    return sum + user + nice + sys + irq
  }, 0)
  return ms / 1_000
}
