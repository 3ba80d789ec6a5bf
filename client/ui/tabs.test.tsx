import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { show } from '#client/testing/render.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from './tabs.tsx'

const NAMES = ['One', 'Two', 'Three']

function open() {
  show(
    <Tabs defaultValue="One">
      <TabsList aria-label="Numbers">
        {NAMES.map((name) => (
          <TabsTrigger key={name} value={name} disabled={name === 'Two'}>
            {name}
          </TabsTrigger>
        ))}
      </TabsList>
      {NAMES.map((name) => (
        <TabsContent key={name} value={name}>
          Panel of {name}
        </TabsContent>
      ))}
    </Tabs>,
  )
  return userEvent.setup({ delay: null })
}
const tab = (name: string) => screen.getByRole('tab', { name })
const selected = () => screen.getByRole('tab', { selected: true }).textContent

it.each([
  ['{ArrowRight}', 'Three', 'the next tab that is not disabled'],
  ['{ArrowRight}{ArrowRight}', 'One', 'the first one after the last one'],
  ['{ArrowLeft}', 'Three', 'the last one before the first one'],
  ['{End}', 'Three', 'the last one'],
  ['{End}{Home}', 'One', 'the first one'],
  ['{Alt>}{ArrowRight}{/Alt}', 'One', 'no other: the browser goes back in its history'],
])('%s selects tab %s: %s', async (keys, name) => {
  const user = open()
  await user.tab()
  await user.keyboard(keys)
  expect(selected()).toBe(name)
  expect(document.activeElement).toBe(tab(name))
  expect(screen.getByText(`Panel of ${name}`)).toBeTruthy()
})

it('only the selected tab is a tab stop, then its panel', async () => {
  const user = open()
  await user.tab()
  expect(document.activeElement).toBe(tab('One'))
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
})

it('a tab names its panel, and the panel its tab', () => {
  open()
  const panel = screen.getByRole('tabpanel', { name: 'One' })
  expect(tab('One').getAttribute('aria-controls')).toBe(panel.id)
  expect(panel.textContent).toBe('Panel of One')
})

it('a press selects a tab; the secondary button does not', async () => {
  const user = open()
  expect(fireEvent.mouseDown(tab('Three'), { button: 2 })).toBe(false)
  await user.click(tab('Three'))
  expect(selected()).toBe('Three')
})
