import { afterEach, expect, it } from 'vitest'
import { changeLanguage, loadTexts } from '#client/language/load-texts.ts'
import { TASKS } from '#client/testing/tasks.ts'
import { descriptionText } from './activity-row.tsx'

const DESCRIPTIONS = [
  ['Correction: paid twice\nin May', 'Điều chỉnh: paid twice\nin May'],
  ['Task reward: Join our Telegram', 'Thưởng nhiệm vụ: Tham gia Telegram của chúng tôi'],
  ['Task reward: Read our blog', 'Thưởng nhiệm vụ: Read our blog'],
  ['Team milestone: 25 members', 'Mốc đội nhóm: 25 thành viên'],
  ['A gift', 'A gift'],
] as const

afterEach(() => changeLanguage('en'))

it.each(DESCRIPTIONS)('the English text of %j is the description', async (description) => {
  await loadTexts('wallet')
  expect(descriptionText(description, TASKS)).toBe(description)
})

it('a milestone of a thousand members has the separator of the language', async () => {
  await loadTexts('wallet')
  const stored = 'Team milestone: 1000 members'
  expect(descriptionText(stored)).toBe('Team milestone: 1,000 members')
  await changeLanguage('vi')
  expect(descriptionText(stored)).toBe('Mốc đội nhóm: 1.000 thành viên')
})

it.each(DESCRIPTIONS)('the Vietnamese text of %j is %j', async (description, text) => {
  await loadTexts('wallet')
  await changeLanguage('vi')
  expect(descriptionText(description, TASKS)).toBe(text)
})
