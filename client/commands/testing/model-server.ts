import { type ApiError, errorOf } from '#client/data/api.ts'

/** The commands of the product, by what the server does with them. */
export const MODEL_COMMANDS = [
  'start',
  'stop',
  'claim',
  'task',
  'code',
  'milestone',
  'profile',
  'upload',
] as const
export type ModelCommand = (typeof MODEL_COMMANDS)[number]

/** Accepted once per member. */
const ONCE: readonly ModelCommand[] = ['task', 'code', 'upload']

export function refusal(status: number, message: string): ApiError {
  return errorOf({ status, statusText: '' }, JSON.stringify({ message, code: message }))
}

/** What the gateway promises about commands and their keys, in memory. */
export class ModelServer {
  private readonly keys = new Map<string, 'cancelled' | { answer: unknown }>()
  private readonly once = new Set<ModelCommand>()
  /** Ids of the running mining session and of the last one. */
  session: number | null = null
  private lastSession = 0
  /** What took effect, in order. */
  readonly effects: number[] = []

  basis(): string {
    return this.session === null ? 'idle' : `session ${this.session}`
  }

  execute(command: ModelCommand, id: number, key: string): unknown {
    const known = this.keys.get(key)
    if (known === 'cancelled') throw refusal(409, 'command_cancelled')
    if (known) return known.answer
    this.apply(command)
    this.effects.push(id)
    const answer = { id }
    this.keys.set(key, { answer })
    return answer
  }

  private apply(command: ModelCommand): void {
    if (command === 'start') {
      if (this.session !== null) throw refusal(409, 'mining_active')
      this.lastSession += 1
      this.session = this.lastSession
    }
    if (command === 'stop') {
      if (this.session === null) throw refusal(409, 'mining_inactive')
      this.session = null
    }
    if (!ONCE.includes(command)) return
    if (this.once.has(command)) throw refusal(409, 'done_before')
    this.once.add(command)
  }

  cancel(key: string): { cancelled: boolean; answer: unknown } {
    const known = this.keys.get(key)
    if (known && known !== 'cancelled') return { cancelled: false, answer: known.answer }
    this.keys.set(key, 'cancelled')
    return { cancelled: true, answer: null }
  }
}
