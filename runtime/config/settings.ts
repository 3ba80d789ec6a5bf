import { MEMBER_SETTINGS } from './settings/members.ts'
import { PROCESS_SETTINGS } from './settings/processes.ts'
import { SECRET_SETTINGS } from './settings/secrets.ts'
import { SERVER_SETTINGS } from './settings/servers.ts'
import type { Setting } from './settings/setting.ts'
import { TRAFFIC_SETTINGS } from './settings/traffic.ts'

export type { Setting } from './settings/setting.ts'

/**
 * Every setting of a process. `readConfig` reads it, docs/settings.md is generated from it, and
 * `.env.example` and docker-compose.yml are tested against it.
 */
export const SETTINGS = {
  ...PROCESS_SETTINGS,
  ...SERVER_SETTINGS,
  ...SECRET_SETTINGS,
  ...TRAFFIC_SETTINGS,
  ...MEMBER_SETTINGS,
}

export type SettingName = keyof typeof SETTINGS

/** The text that stands for an unset variable; empty for none. */
export function defaultOf(setting: Setting, production: boolean): string {
  const { default: both = '' } = setting
  if (typeof both === 'string') return both
  return production ? both.production : both.development
}
