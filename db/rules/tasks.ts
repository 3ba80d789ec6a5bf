import type { Money } from './money.ts'

/** A social task as it is defined; its link comes from configuration (rules.md: Tasks). */
export type TaskDefinition = {
  id: string
  title: string
  description: string
  reward: Money
  type: string
  platform: 'twitter' | 'telegram' | 'youtube' | 'website'
  action: 'follow' | 'like' | 'share' | 'watch' | 'visit' | 'subscribe'
  /** How often a UTC day it pays; once for ever where absent. */
  dailyLimit?: number
}

/** All tasks. Each pays once a member; a daily one once a UTC day. */
export const TASKS: readonly TaskDefinition[] = [
  {
    id: 'follow_twitter',
    title: 'Follow us on Twitter',
    description: 'Follow the TESP Network account on Twitter to hear what is new.',
    reward: '2',
    type: 'social',
    platform: 'twitter',
    action: 'follow',
  },
  {
    id: 'join_telegram',
    title: 'Join our Telegram',
    description: 'Join the TESP Network channel on Telegram and meet other members.',
    reward: '1',
    type: 'social',
    platform: 'telegram',
    action: 'subscribe',
  },
]

/** The task of exactly that id. */
export function taskOf(id: string): TaskDefinition | undefined {
  return TASKS.find((task) => task.id === id)
}
