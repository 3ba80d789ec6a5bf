import type { Task, TaskList } from '#rules/snapshots'

/** The two tasks of the specification, as GET /api/tasks lists them. */
export const TASKS: Task[] = [
  {
    id: 'follow_twitter',
    texts: {
      en: {
        title: 'Follow us on Twitter',
        description: 'Follow the TESP Network account on Twitter to hear what is new.',
      },
      vi: { title: 'Theo dõi chúng tôi trên Twitter', description: 'Theo dõi để biết tin mới.' },
    },
    reward: '2',
    platform: 'twitter',
    action: 'follow',
    link: 'https://twitter.example/tesp',
    check: 'trust',
    state: 'open',
  },
  {
    id: 'join_telegram',
    texts: {
      en: {
        title: 'Join our Telegram',
        description: 'Join the TESP Network channel on Telegram and meet other members.',
      },
      vi: { title: 'Tham gia Telegram của chúng tôi', description: 'Tham gia kênh của chúng tôi.' },
    },
    reward: '1',
    platform: 'telegram',
    action: 'subscribe',
    link: 'https://t.example/x',
    check: 'trust',
    state: 'open',
  },
]

let asOf = 0

/** As GET /api/tasks answers; each answer is newer than the one before. */
export function taskList(tasks: Task[] = TASKS): TaskList {
  asOf = Math.max(asOf + 1, Date.now())
  return { tasks, changesInMs: null, asOf }
}
