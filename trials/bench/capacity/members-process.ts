import { HttpPool } from './http-pool.ts'
import { LoadMember, type World } from './member.ts'
import {
  type FromMembers,
  type Joining,
  noFigures,
  type Target,
  type ToMembers,
} from './protocol.ts'
import { Timetable } from './timetable.ts'

// The load generator of the part `capacity`, a process of its own: all members of all gateways.

/** Connections of a reverse proxy to a gateway. */
const CONNECTIONS = 64

const timetable = new Timetable()
let figures = noFigures()
/** By the port of their gateway. */
const worlds = new Map<number, World>()

function worldOf(target: Target): World {
  const known = worlds.get(target.port)
  if (known) return known
  const world = {
    target,
    pool: new HttpPool(target.port, CONNECTIONS),
    timetable,
    figures: () => figures,
  }
  worlds.set(target.port, world)
  return world
}

async function join({ target, cookies, atOnce }: Joining): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < cookies.length) {
      const n = next++
      const member = new LoadMember(worldOf(target), cookies[n] ?? '')
      await member.join(n % 2 === 0).catch(() => {
        figures.failures++
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

const send = (message: FromMembers) => process.send?.(message)

process.on('message', (message: ToMembers) => {
  if (message === 'reset') figures = noFigures()
  else if (message === 'read') send({ figures })
  else join(message.join).then(() => send('joined'))
})
process.on('disconnect', () => process.exit())
