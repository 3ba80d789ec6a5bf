import type { Money } from './money.ts'

/** Definition of a social task; its link comes from configuration (rules.md: Tasks). */
export type TaskDefinition = {
  id: string
  title: string
  description: string
  reward: Money
  type: string
  platform: 'twitter' | 'telegram' | 'youtube' | 'website'
  action: 'follow' | 'like' | 'share' | 'watch' | 'visit' | 'subscribe'
  /** Payments per UTC day; a task without it pays once. */
  dailyLimit?: number
}

/** All tasks. Each pays once per member, a daily task once per UTC day. */
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

/** The task with that id. */
export function taskOf(id: string): TaskDefinition | undefined {
  return TASKS.find((task) => task.id === id)
}
