import type { OpsCall, OpsOptions } from '#operators/ops/command'
import { OPS, type OpsName } from '#operators/ops/commands'
import { runOps } from '#operators/ops/run'

/** The operator of tests in the log of actions. */
export const OPERATOR = 'ada'

type Place = Pick<OpsCall, 'db' | 'config'>

/** Runs `npm run ops -- <name>` as an operator who confirms; returns what it prints. */
export async function operate(
  { db, config }: Place,
  name: OpsName,
  args: string[] = [],
  options: OpsOptions = {},
): Promise<string> {
  const lines: string[] = []
  const terminal = {
    operator: () => OPERATOR,
    print: (text: string) => void lines.push(text),
    confirm: async () => true,
  }
  const call = { db, config, redisUrl: config.redisUrl, args, options }
  await runOps(name, OPS[name], call, terminal)
  return lines.join('\n')
}
