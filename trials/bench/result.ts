/** What a part gets from the command line. */
export type BenchOptions = {
  /** Interleaved rounds of each comparison. */
  rounds: number
  /** Small populations and short rounds: shows that a part runs; its figures are not stored. */
  quick: boolean
  /** Folder of another checkout, for the part that compares two versions. */
  compare?: string | undefined
  log(line: string): void
}

/** What a figure must reach: at least or at most this much, in the unit of its table or ratio. */
export type Goal = { atLeast: number } | { atMost: number }

/** One measured thing: one value for each round. */
export type BenchRow = {
  /** Unique in its table. */
  label: string
  values: number[]
  goal?: Goal
}

/** The median of one row divided by the median of another row of the same table. */
export type Ratio = { of: string; to: string; goal?: Goal }

export type BenchTable = {
  id: string
  title: string
  /** `requests/s`, `ms`, `MB`. */
  unit: string
  higherIsBetter: boolean
  rows: BenchRow[]
  ratios?: Ratio[]
}

/** What a part measured. */
export type PartResult = {
  part: string
  title: string
  tables: BenchTable[]
  /** Sentences on how it was measured and what limits the figures; Markdown. */
  notes: string[]
}

/** A part of the bench: a file of `trials/bench/parts/` exports it as `run`. */
export type Part = (options: BenchOptions) => Promise<PartResult>

/** Where, when and how a part was measured. */
export type RunFacts = {
  date: string
  commit: string
  command: string
  rounds: number
  cpu: string
  cores: number
  memoryGiB: number
  node: string
  postgres: string
  redis: string
}

/** A result as `trials/results/<part>.json` holds it. */
export type StoredResult = PartResult & { run: RunFacts }
