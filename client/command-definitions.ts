import type { CommandDefinition } from './commands/definition.ts'

type Load = () => Promise<CommandDefinition>

/** Every command by its stored name; the code of its screen is loaded when a stored one continues. */
const DEFINITIONS: Record<string, Load> = {
  start: async () => (await import('./screens/mine/mining-commands.ts')).startDefinition,
  stop: async () => (await import('./screens/mine/mining-commands.ts')).stopDefinition,
  claim: async () => (await import('./screens/mine/mining-commands.ts')).claimDefinition,
  task: async () => (await import('./screens/tasks/task-commands.ts')).taskDefinition,
  'check-milestones': async () => (await import('./screens/team/team-commands.ts')).checkDefinition,
  'generate-code': async () => (await import('./screens/team/team-commands.ts')).generateDefinition,
  'apply-code': async () => (await import('./screens/team/team-commands.ts')).applyDefinition,
  profile: async () => (await import('./screens/account/profile-commands.ts')).profileDefinition,
  upload: async () => (await import('./screens/account/identity/kyc-commands.ts')).uploadDefinition,
}

export const COMMAND_NAMES = Object.keys(DEFINITIONS)

/** The definition of a stored command; undefined for a name that this version does not have. */
export async function definitionOf(name: string): Promise<CommandDefinition | undefined> {
  return DEFINITIONS[name]?.()
}
