import { isDeepStrictEqual } from 'node:util'
import { Random } from '#trials/kit/random'
import { type Command, type Economy, NOBODY, type Outcome } from './model/economy.ts'
import { deliver } from './product/commands.ts'
import type { World } from './world.ts'

type Fault =
  | { kind: 'none' | 'answer lost' | 'delivered twice at once' }
  /** The gateway dies after so many statements. */
  | { kind: 'cut'; after: number }

type Arrival = { command: Command; fault: Fault; tick: number }

const MEMBERS = 3
/** Sizes of the leader's team at the start: just below a milestone, and none. */
const TEAMS = [0, 8, 9, 9, 23, 24] as const
/** Members of one history are far apart, so that they are in several ranges of buckets. */
const ID_STEP = 331
/** A command takes at most about this many statements. */
const STATEMENTS = 16
/** Longest delay of a repeated request, in ticks. */
const LATEST_RETRY = 5

/** The commands of a few members who know each other, drawn from one seed. */
export class History {
  readonly founders: { id: number; teamSize: number }[]
  readonly trace: string[] = []
  /** The first difference from the model; nothing after it means anything. */
  problem: string | undefined
  private readonly random: Random
  private readonly waiting: Arrival[] = []
  private commands = 0

  constructor(
    readonly index: number,
    seed: number,
    /** Share of the ticks at which a member does something. */
    private readonly pace: number,
  ) {
    this.random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
    this.founders = Array.from({ length: MEMBERS }, (_, n) => ({
      id: 1 + (index * MEMBERS + n) * ID_STEP,
      teamSize: n === 0 ? this.random.pick(TEAMS) : 0,
    }))
  }

  get memberIds(): number[] {
    return this.founders.map(({ id }) => id)
  }

  fail(problem: string): void {
    this.problem ??= problem
  }

  arrivals(tick: number, economy: Economy): Arrival[] {
    const due = this.waiting.filter((arrival) => arrival.tick <= tick)
    for (const arrival of due) this.waiting.splice(this.waiting.indexOf(arrival), 1)
    if (this.random.next() < this.pace) {
      due.push({ command: this.command(economy), fault: this.fault(), tick })
    }
    return due
  }

  /** Commands that are still under way. */
  rest(): Command[] {
    return this.waiting.splice(0).map(({ command }) => command)
  }

  /** Its sender got no answer: repeats the request now or later, perhaps after it gave up. */
  repeat({ command, tick }: Arrival): void {
    if (command.kind !== 'cancel' && this.random.next() < 0.15) {
      const { memberId, key } = command
      const cancel: Command = { memberId, key: this.key(), kind: 'cancel', cancelled: key }
      this.waiting.push({ command: cancel, fault: this.fault(), tick })
    }
    const later = tick + this.random.between(0, LATEST_RETRY)
    this.waiting.push({ command, fault: this.fault(), tick: later })
  }

  private fault(): Fault {
    const chance = this.random.next()
    if (chance < 0.15) return { kind: 'answer lost' }
    if (chance < 0.25) return { kind: 'delivered twice at once' }
    if (chance < 0.4) return { kind: 'cut', after: this.random.between(1, STATEMENTS) }
    return { kind: 'none' }
  }

  private key(): string {
    this.commands += 1
    return `${this.index}-${this.commands}`
  }

  private command(economy: Economy): Command {
    const ids = this.memberIds
    const memberId = this.random.pick(ids)
    const key = this.key()
    const { running, referrer } = economy.member(memberId)
    const kind = this.random.pick([
      ...(running ? (['stop', 'stop', 'start'] as const) : (['start', 'start', 'stop'] as const)),
      ...(referrer ? [] : (['apply'] as const)),
      'claim',
      'claim',
      'apply',
      'milestones',
      'task',
    ] as const)
    if (kind === 'task') {
      const taskId = this.random.pick(['follow_twitter', 'join_telegram', 'read_twice', 'no_task'])
      return { memberId, key, kind, taskId }
    }
    if (kind === 'apply') {
      const owner = this.random.pick([...ids, ids[0] ?? NOBODY, NOBODY])
      return { memberId, key, kind, owner }
    }
    return { memberId, key, kind }
  }
}

/** `member 332 apply 1 (0-7)`: who, what, and the key. */
function commandText(command: Command): string {
  const { kind, memberId, key } = command
  const hasDetail = kind === 'task' || kind === 'apply' || kind === 'cancel'
  const detail = hasDetail ? ` ${Object.values(command).at(-1)}` : ''
  return `member ${memberId} ${kind}${detail} (${key})`
}

function compare(world: World, history: History, command: Command, outcome: Outcome): void {
  const expected = world.economy.run(command)
  if (isDeepStrictEqual(outcome, expected)) return
  const [answered, right] = [JSON.stringify(outcome), JSON.stringify(expected)]
  history.fail(`${commandText(command)} was answered ${answered} instead of ${right}`)
}

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

/** A command goes to the model too if it could take effect. A member without an answer sends it again. */
export async function deliverCommand(
  world: World,
  history: History,
  arrival: Arrival,
): Promise<void> {
  const { command, fault } = arrival
  world.counts.deliveries += 1
  try {
    const { isAnswered, outcomes } = await outcomesOf(world, arrival)
    const cut = fault.kind === 'cut' ? ` after ${fault.after} statements` : ''
    const answers = outcomes.map((each) => JSON.stringify(each)).join(' and ')
    history.trace.push(`${world.time} ${commandText(command)}: ${fault.kind}${cut}, ${answers}`)
    for (const outcome of outcomes) compare(world, history, command, outcome)
    if (!isAnswered) history.repeat(arrival)
  } catch (error) {
    history.fail(`${commandText(command)} threw ${error}`)
  }
}
