import { expect, it } from 'vitest'
import { messageText } from './message-text.ts'

const texts = {
  'Not found': 'Không tìm thấy',
  'Please wait {{seconds}}s before asking again': 'Vui lòng đợi {{seconds}} giây',
  'The image must fit into {{width}} × {{height}} pixels': '{{height}} × {{width}}',
}

it.each([
  ['Not found', 'Không tìm thấy'],
  ['Please wait 42s before asking again', 'Vui lòng đợi 42 giây'],
  ['The image must fit into 300 × 200 pixels', '200 × 300'],
])('the text of %s is %s', (message, text) => {
  expect(messageText(texts, message)).toBe(text)
})

it('a message that only resembles a key has no text', () => {
  for (const message of ['Not found!', 'Please wait 42s', 'constructor']) {
    expect(messageText(texts, message)).toBeUndefined()
  }
})
