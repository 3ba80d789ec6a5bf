type Row = { step: string; result: string; seconds?: number; isRight: boolean }

type Fact = string | number | boolean

export class TrialReport {
  private readonly rows: Row[] = []

  constructor(private readonly title: string) {}

  /** Runs and times a step; a thrown error is a failed row and is thrown on. */
  async step<T>(
    step: string,
    work: () => Promise<T>,
    resultOf: (value: T) => string = () => 'done',
  ): Promise<T> {
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1000
    try {
      const value = await work()
      this.add({ step, result: resultOf(value), seconds: seconds(), isRight: true })
      return value
    } catch (error) {
      const result = error instanceof Error ? error.message : String(error)
      this.add({ step, result, seconds: seconds(), isRight: false })
      throw error
    }
  }

  /** Records a figure that is neither right nor wrong. */
  fact(step: string, result: string | number): void {
    this.add({ step, result: String(result), isRight: true })
  }

  expect(step: string, found: Fact, expected: Fact): void {
    const isRight = found === expected
    this.add({ step, result: isRight ? String(found) : `${found}, expected ${expected}`, isRight })
  }

  check(step: string, problems: readonly string[]): void {
    const [first = ''] = problems
    for (const problem of problems) console.error(`  ${problem}`)
    const result = problems.length === 0 ? 'none' : `${problems.length}: ${first.slice(0, 300)}`
    this.add({ step, result, isRight: problems.length === 0 })
  }

  get hasFailed(): boolean {
    return this.rows.length === 0 || this.rows.some(({ isRight }) => !isRight)
  }

  toString(): string {
    const lines = this.rows.map(({ step, result, seconds, isRight }) => {
      const time = seconds === undefined ? '' : seconds.toFixed(1)
      return `| ${step} | ${isRight ? '' : '**FAILED** '}${result.replace(/\s+/g, ' ')} | ${time} |`
    })
    return [`| ${this.title} | Result | s |`, '| --- | --- | ---: |', ...lines].join('\n')
  }

  private add(row: Row): void {
    this.rows.push(row)
    // Progress on standard error: standard output holds only the table.
    const time = row.seconds === undefined ? '' : ` (${row.seconds.toFixed(1)} s)`
    console.error(`${row.isRight ? '  ' : '! '}${row.step}: ${row.result}${time}`)
  }
}

/** Prints a duration for the figures in docs/performance.md if the environment sets `FAULT_TIMES`. */
export function reportTime(step: string, ms: number): void {
  if (process.env.FAULT_TIMES) console.log(`[fault] ${step}: ${(ms / 1_000).toFixed(1)} s`)
}
