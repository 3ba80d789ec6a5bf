import { setTimeout as sleep } from 'node:timers/promises'
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

// The load generator of the part `capacity`, a process of its own: all members of one gateway.

/** Connections of a reverse proxy to a gateway. */
const CONNECTIONS = 64
/** Members that join at a time. */
const BATCH = 20

const timetable = new Timetable()
let figures = noFigures()
let world: World | undefined

function worldOf(target: Target): World {
  const pool = new HttpPool(target.port, CONNECTIONS)
  world ??= { target, pool, timetable, figures: () => figures }
  return world
}

async function join({ target, cookies, perSecond }: Joining): Promise<void> {
  const joining: Promise<void>[] = []
  for (const [n, cookie] of cookies.entries()) {
    joining.push(new LoadMember(worldOf(target), cookie).join(n % 2 === 0))
    if (n % BATCH === BATCH - 1) await sleep((BATCH / perSecond) * 1_000)
  }
  await Promise.all(joining)
}

const send = (message: FromMembers) => process.send?.(message)

process.on('message', (message: ToMembers) => {
  if (message === 'reset') figures = noFigures()
  else if (message === 'read') send({ figures })
  else join(message.join).then(() => send('joined'))
})
process.on('disconnect', () => process.exit())
