import { median } from '#trials/bench/harness/figures/statistics'
import type { Trial } from '#trials/kit/run-trial'
import { type CompareOptions, compare } from './compare.ts'

/** Credits and commands on Citus and on plain Postgres, with the spread of the rounds. */
export async function compareCitus({ report }: Trial, options: CompareOptions): Promise<void> {
  const rounds = await compare(options)
  const facts = {
    credits: 'credits a second',
    commands: 'commands a second',
    creditCpu: 'CPU of a credit, µs',
    commandCpu: 'CPU of a command, µs',
  } as const
  for (const [figure, title] of Object.entries(facts) as [keyof typeof facts, string][]) {
    const [plain, citus] = [rounds.plain, rounds.citus].map((side) =>
      side.map((round) => Number(round[figure].toFixed(figure === 'creditCpu' ? 1 : 0))),
    )
    for (const [name, values = []] of Object.entries({ plain, citus })) {
      const spread = `${Math.min(...values)}–${Math.max(...values)}`
      report.fact(`${title}, ${name}`, `${median(values)} (${spread})`)
    }
    const share = median(citus ?? []) / median(plain ?? [])
    report.fact(`${title}, Citus ÷ plain`, share.toFixed(2))
  }
}
