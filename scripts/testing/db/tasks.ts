import type { Db } from '#db/postgres/statements/transaction'

const TEXTS = {
  en: { title: 'Read the news', description: 'Read the news of the day.' },
  vi: { title: 'Đọc tin', description: 'Đọc tin trong ngày.' },
}

/** The definition of a task, as an operator writes it. */
export const aTask = (fields: Record<string, unknown> = {}) => ({
  id: 'read_news',
  texts: TEXTS,
  reward: '0.5',
  platform: 'website',
  action: 'visit',
  link: 'https://news.example/',
  ...fields,
})

/** Inserts a published task; `fields` are columns. */
export async function insertTask(db: Db, fields: Record<string, unknown> = {}): Promise<void> {
  const task = aTask({ check: 'trust', status: 'active', ...fields })
  await db('tasks').insert({ ...task, texts: JSON.stringify(task.texts) })
}
