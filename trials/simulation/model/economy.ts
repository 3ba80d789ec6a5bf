import { ModelMember, ModelSession } from './member.ts'
import { INTERVALS, MILESTONES, TASKS, text } from './rules.ts'

/** The owner of a code that does not exist. */
export const NOBODY = 0

/** A repeated request has the same key. */
export type Command = { memberId: number; key: string } & (
  | { kind: 'start' | 'stop' | 'claim' | 'milestones' }
  | { kind: 'task'; taskId: string }
  | { kind: 'apply'; owner: number }
  | { kind: 'cancel'; cancelled: string }
)

/** The answer, or the code of the rule that refused the command. */
export type Outcome = { answer: unknown } | { refused: string }

const CANCELLED = Symbol('cancelled')

/** A refused command has no effect. */
class Refusal extends Error {}

/** The economy of docs/rules.md as a small program without storage, SQL or concurrency. */
export class Economy {
  readonly members = new Map<number, ModelMember>()
  /** Product time in ms. */
  now = 0

  add(id: number, teamSize: number): void {
    this.members.set(id, new ModelMember(id, teamSize))
  }

  member(id: number): ModelMember {
    const found = this.members.get(id)
    if (!found) throw new Error(`no member ${id}`)
    return found
  }

  /** Takes effect once for its key; a repeated one gets the first answer. */
  run(command: Command): Outcome {
    const member = this.member(command.memberId)
    if (command.kind === 'cancel') return { answer: this.cancel(member, command.cancelled) }
    const stored = member.answers.get(command.key)
    if (stored === CANCELLED) return { refused: 'command_cancelled' }
    if (stored !== undefined) return { answer: stored }
    try {
      const answer = this.take(member, command)
      member.answers.set(command.key, answer)
      return { answer }
    } catch (error) {
      if (error instanceof Refusal) return { refused: error.message }
      throw error
    }
  }

  private take(member: ModelMember, command: Exclude<Command, { kind: 'cancel' }>): unknown {
    switch (command.kind) {
      case 'start':
        return this.start(member)
      case 'stop':
        return this.stop(member)
      case 'claim':
        return this.claim(member)
      case 'milestones':
        return this.checkMilestones(member)
      case 'task':
        return this.completeTask(member, command.taskId)
      case 'apply':
        return this.applyCode(member, command.owner)
    }
  }

  /** Whether the key was spent before its command took effect. */
  private cancel(member: ModelMember, key: string): boolean {
    const stored = member.answers.get(key)
    if (stored !== undefined) return stored === CANCELLED
    member.answers.set(key, CANCELLED)
    return true
  }

  private status(member: ModelMember) {
    const { balance: _, usdtBalance: __, ...mining } = member.view(this.now)
    return mining
  }

  private start(member: ModelMember) {
    const { running } = member
    if (running && running.due(this.now) < INTERVALS) throw new Refusal('mining_active')
    member.settle(this.now)
    member.sessions.push(new ModelSession(this.now, member.rates))
    return this.status(member)
  }

  private stop(member: ModelMember) {
    const { running } = member
    if (!running || running.due(this.now) === INTERVALS) throw new Refusal('mining_inactive')
    member.settle(this.now)
    const end = running.time(this.now)
    member.pending.TESP += running.take('TESP', end)
    member.pending.USDT += running.take('USDT', end)
    running.state = 'stopped'
    return this.status(member)
  }

  private claim(member: ModelMember) {
    const { TESP, USDT } = member.pending
    if (TESP === 0n && USDT === 0n) throw new Refusal('nothing_to_claim')
    if (member.cooldown(this.now) > 0) throw new Refusal('claim_cooldown')
    member.claims += 1
    member.claimedAt = this.now
    for (const token of ['TESP', 'USDT'] as const) {
      const amount = member.pending[token]
      const fact = `claim:${member.id}.${member.claims}:${token}`
      if (amount > 0n) member.post(token, { fact, amount, at: this.now })
      member.pending[token] = 0n
    }
    return { tesp: text(TESP), usdt: text(USDT) }
  }

  private completeTask(member: ModelMember, taskId: string) {
    const task = TASKS[taskId]
    if (task === undefined) throw new Refusal('task_unknown')
    const { reward: amount, dailyLimit } = task
    // Daily tasks run on real time.
    const day = dailyLimit ? `:${new Date().toISOString().slice(0, 10)}` : ''
    const kept = `${taskId}${day}`
    const claims = member.tasks.get(kept) ?? 0
    if (claims >= (dailyLimit ?? 1)) throw new Refusal('task_claimed')
    member.tasks.set(kept, claims + 1)
    const nth = claims > 0 ? `:${claims + 1}` : ''
    member.post('TESP', { fact: `task:${member.id}:${kept}${nth}`, amount, at: this.now })
    return { amount: Number(amount) / 1e8 }
  }

  private applyCode(member: ModelMember, ownerId: number) {
    if (ownerId === NOBODY) throw new Refusal('referral_unknown')
    const owner = this.member(ownerId)
    for (let above: ModelMember | undefined = owner; above; above = above.referrer) {
      if (above === member) throw new Refusal('referral_refused')
    }
    if (member.referrer) throw new Refusal('referral_refused')
    member.referrer = owner
    owner.teamSize += 1
    owner.rerate(this.now)
    return { owner: owner.id }
  }

  private checkMilestones(member: ModelMember) {
    const reached = MILESTONES.filter(({ members }) => member.teamSize >= members)
    const fresh = reached.slice(member.level)
    if (fresh.length === 0) return { milestones: [] }
    member.level = reached.length
    member.rerate(this.now)
    const milestones = fresh.map(({ members, tesp, percent }) => {
      const usdt = (tesp * percent) / 100n
      const fact = `milestone:${member.id}:${members}`
      member.post('TESP', { fact: `${fact}:TESP`, amount: tesp, at: this.now })
      member.post('USDT', { fact: `${fact}:USDT`, amount: usdt, at: this.now })
      return { members, reward: text(tesp), usdt: text(usdt) }
    })
    return { milestones }
  }
}
