import type { CommandDefinition } from './commands/command-type.ts'
import type { ScreenNamespace } from './language/catalogues.ts'
import { loadTexts } from './language/load-texts.ts'

type Load = () => Promise<CommandDefinition>

/** Loads the commands of a screen together with its texts, which their toasts show. */
async function withTexts<Module>(texts: ScreenNamespace, module: Promise<Module>): Promise<Module> {
  const [loaded] = await Promise.all([module, loadTexts(texts)])
  return loaded
}

const mine = () => withTexts('mine', import('./screens/mine/mining-commands.ts'))
const tasks = () => withTexts('tasks', import('./screens/tasks/task-commands.ts'))
const team = () => withTexts('team', import('./screens/team/team-commands.ts'))
const profile = () => withTexts('account', import('./screens/account/profile-commands.ts'))
const kyc = () => withTexts('account', import('./screens/account/identity/kyc-commands.ts'))

/** Every command by its stored name; the code of its screen is loaded when a stored one continues. */
const DEFINITIONS: Record<string, Load> = {
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

export const COMMAND_NAMES = Object.keys(DEFINITIONS)

/** The definition of a stored command; undefined for a name that this version does not have. */
export async function definitionOf(name: string): Promise<CommandDefinition | undefined> {
  return DEFINITIONS[name]?.()
}
