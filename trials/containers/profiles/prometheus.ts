type Target = { labels: { job: string }; health: string; lastError: string }
type Rule = { name: string; health: string; state: string }
type Sample = { value: [number, string] }

/** A Prometheus on this machine, read through its API. */
export class Prometheus {
  constructor(private readonly port: number) {}

  async targets(): Promise<Target[]> {
    const { activeTargets } = await this.get<{ activeTargets: Target[] }>('targets?state=active')
    return activeTargets
  }

  async rules(): Promise<Rule[]> {
    const { groups } = await this.get<{ groups: { rules: Rule[] }[] }>('rules?type=alert')
    return groups.flatMap(({ rules }) => rules)
  }

  /** Current values of an expression that are numbers. */
  async values(expr: string): Promise<number[]> {
    const { result } = await this.get<{ result: Sample[] }>(
      `query?query=${encodeURIComponent(expr)}`,
    )
    return result.map(({ value: [, text] }) => Number(text)).filter(Number.isFinite)
  }

  async summary(): Promise<string> {
    const [targets, rules] = await Promise.all([this.targets(), this.rules()])
    const up = targets.filter(({ health }) => health === 'up')
    const states = rules.filter(({ state }) => state !== 'inactive')
    const active = states.map(({ name, state }) => `${name} ${state}`).join(', ') || 'none'
    return `${up.length} targets up, ${rules.length} rules, alerts: ${active}`
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/${path}`)
    const { data, error } = (await response.json()) as { data: T; error?: string }
    if (!response.ok) throw new Error(`Prometheus refused ${path}: ${error}`)
    return data
  }
}
