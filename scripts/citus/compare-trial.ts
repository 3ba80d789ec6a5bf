import { median } from '#scripts/bench/harness/figures/statistics'
import type { Trial } from '#scripts/trial/run-trial'
import { type CompareOptions, compare } from './compare.ts'

/** Credits and commands on Citus and on plain Postgres, with the spread of the rounds. */
export async function compareCitus({ report }: Trial, options: CompareOptions): Promise<void> {
  const rounds = await compare(options)
  for (const figure of ['credits', 'commands'] as const) {
    const [plain, citus] = [rounds.plain, rounds.citus].map((side) =>
      side.map((round) => Math.round(round[figure])),
    )
    for (const [name, values = []] of Object.entries({ plain, citus })) {
      const spread = `${Math.min(...values)}–${Math.max(...values)}`
      report.fact(`${figure} a second, ${name}`, `${Math.round(median(values))} (${spread})`)
    }
    const share = median(citus ?? []) / median(plain ?? [])
    report.fact(`${figure}, Citus ÷ plain`, share.toFixed(2))
  }
}
