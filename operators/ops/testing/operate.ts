import type { OpsCall, OpsOptions } from '#operators/ops/command'
import { type OpsName, opsProgram } from '#operators/ops/program'
import { runOps } from '#operators/ops/run'

/** The operator of tests in the log of actions. */
export const OPERATOR = 'ada'

type Place = Pick<OpsCall, 'db' | 'config'> & { operator?: string }

/** Runs `npm run ops -- <name>` as an operator who confirms; returns what it prints. */
export async function operate(
  { db, config, operator = OPERATOR }: Place,
  name: OpsName,
  args: string[] = [],
  options: OpsOptions = {},
  /** Called with each printed text: what a command that fails has printed is not returned. */
  onPrint: (text: string) => void = () => {},
): Promise<string> {
  const lines: string[] = []
  const terminal = {
    operator: () => operator,
    print(text: string) {
      lines.push(text)
      onPrint(text)
    },
    confirm: async () => true,
  }
  const program = opsProgram(
    (...[words, command, typed]) => runOps(words, command, { db, config, ...typed }, terminal),
    { writeErr: () => {} },
  )
  const flags = Object.entries(options).map(([option, value]) =>
    value === true ? `--${option}` : `--${option}=${value}`,
  )
  await program.parseAsync([...name.split(' '), ...flags, '--', ...args], { from: 'user' })
  return lines.join('\n')
}
