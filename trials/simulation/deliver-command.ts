import { isDeepStrictEqual } from 'node:util'
import type { Arrival, History } from './history.ts'
import type { Command, Outcome } from './model/command.ts'
import { deliver } from './product/commands.ts'
import type { World } from './world.ts'

/** `member 332 apply 1 (0-7)`: who, what, and the key. */
function commandText(command: Command): string {
  const { kind, memberId, key } = command
  const hasDetail = kind === 'task' || kind === 'apply' || kind === 'cancel'
  const detail = hasDetail ? ` ${Object.values(command).at(-1)}` : ''
  return `member ${memberId} ${kind}${detail} (${key})`
}

/** Lets the model answer too, and compares. */
function compare(world: World, history: History, command: Command, outcome: Outcome): void {
  const expected = world.economy.run(command)
  if (isDeepStrictEqual(outcome, expected)) return
  const [answered, right] = [JSON.stringify(outcome), JSON.stringify(expected)]
  history.fail(`${commandText(command)} was answered ${answered} instead of ${right}`)
}

/** The answers of the product; none if its process died before it could answer. */
async function outcomesOf({ pool, counts }: World, { command, fault }: Arrival) {
  const { isCut, values } = await pool.run(
    {
      copies: fault.kind === 'delivered twice at once' ? 2 : 1,
      ...(fault.kind === 'cut' && { cutAfter: fault.after }),
    },
    (db) => deliver(db, command),
  )
  if (isCut) counts.cuts += 1
  return { isAnswered: !isCut && fault.kind !== 'answer lost', outcomes: values }
}

/**
 * Delivers a command to the product and, if it could take effect, to the model. Whoever gets no answer
 * sends it again.
 */
export async function deliverCommand(
  world: World,
  history: History,
  arrival: Arrival,
): Promise<void> {
  const { command, fault } = arrival
  const note = (what: string) => history.note(world.time, `${commandText(command)}: ${what}`)
  world.counts.deliveries += 1
  try {
    const { isAnswered, outcomes } = await outcomesOf(world, arrival)
    const cut = fault.kind === 'cut' ? ` after ${fault.after} statements` : ''
    note(`${fault.kind}${cut}, ${outcomes.map((each) => JSON.stringify(each)).join(' and ')}`)
    for (const outcome of outcomes) compare(world, history, command, outcome)
    if (!isAnswered) history.repeat(arrival)
  } catch (error) {
    history.fail(`${commandText(command)} threw ${error}`)
  }
}
