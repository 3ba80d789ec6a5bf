import type { CommandDefinition } from './commands/command-type.ts'
import { withTexts } from './language/load-texts.ts'

type Load = () => Promise<CommandDefinition>

// The commands of a screen come together with its texts, which their toasts show.
const mine = () => withTexts(import('./screens/mine/mining-commands.ts'), ['mine'])
const tasks = () => withTexts(import('./screens/tasks/task-commands.ts'), ['tasks'])
const team = () => withTexts(import('./screens/team/team-commands.ts'), ['team'])
const profile = () => withTexts(import('./screens/account/profile-commands.ts'), ['account'])
const kyc = () => withTexts(import('./screens/account/identity/kyc-commands.ts'), ['account'])

/** Every command by its stored name; the code of its screen is loaded when a stored one continues. */
export const DEFINITIONS: Record<string, Load> = {
  start: async () => (await mine()).startDefinition,
  stop: async () => (await mine()).stopDefinition,
  claim: async () => (await mine()).claimDefinition,
  task: async () => (await tasks()).taskDefinition,
  'check-milestones': async () => (await team()).checkDefinition,
  'generate-code': async () => (await team()).generateDefinition,
  'apply-code': async () => (await team()).applyDefinition,
  profile: async () => (await profile()).profileDefinition,
  upload: async () => (await kyc()).uploadDefinition,
}

export async function definitionOf(name: string): Promise<CommandDefinition | undefined> {
  return DEFINITIONS[name]?.()
}
