/** What a part gets from the command line. */
export type BenchOptions = {
  /** Interleaved rounds of each comparison. */
  rounds: number
  /** Small populations and short rounds: shows that a part runs; its figures are not stored. */
  quick: boolean
  /** Folder of another checkout, for the part that compares two versions. */
  beside?: string | undefined
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
  /** Place on the horizontal axis of a line plot: members, partitions, sockets. */
  x?: number
  /** Line of a line plot that this row belongs to. */
  series?: string
}

/** The median of one row divided by the median of another row of the same table. */
export type Ratio = { of: string; to: string; goal?: Goal }

export type BenchTable = {
  /** File name of its plot after the part's name: `requests` gives `reads-requests.svg`. */
  id: string
  title: string
  /** `requests/s`, `ms`, `MB`. */
  unit: string
  higherIsBetter: boolean
  rows: BenchRow[]
  ratios?: Ratio[]
  /** Default: bars of the medians. `lines` needs `x` and `series` in each row. */
  plot?: { kind: 'bars' | 'none' } | { kind: 'lines'; xLabel: string }
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

/** A result as `docs/performance/<part>.json` holds it. */
export type StoredResult = PartResult & { run: RunFacts }
