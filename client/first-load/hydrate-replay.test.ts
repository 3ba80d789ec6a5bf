import { afterEach, expect, it } from 'vitest'
import { replayOnScreen } from './hydrate-replay.ts'
import { recordClicks } from './replay-clicks.ts'

/** The ids of the buttons that are pressed again when `screen` replaces a shell whose button was pressed. */
async function pressedAgain(shell: string, screen: string): Promise<string[]> {
  const root = document.createElement('div')
  root.innerHTML = shell
  document.body.append(root)
  recordClicks()
  root.querySelector('button')?.click()
  const pressed: string[] = []
  root.addEventListener('click', ({ target }) => pressed.push((target as Element).id))
  replayOnScreen(root)
  root.innerHTML = screen
  // Observers of changes are called in a microtask.
  await Promise.resolve()
  return pressed
}

afterEach(() => document.body.replaceChildren())

it('a press is repeated on the button with the same text', async () => {
  const screen = '<button id="open">Open</button><button id="done">Done</button>'
  expect(await pressedAgain('<button>Done</button>', screen)).toEqual(['done'])
})

it('a press on an icon is repeated on the button with the same label', async () => {
  const screen =
    '<button id="menu" aria-label="Menu"><svg/></button><button id="more"><svg/></button>'
  expect(await pressedAgain('<button aria-label="Menu"></button>', screen)).toEqual(['menu'])
})

it('a press on a button without a name is dropped', async () => {
  expect(
    await pressedAgain('<button><svg/></button>', '<button id="other"><svg/></button>'),
  ).toEqual([])
})

it('a press is dropped if several buttons have its name', async () => {
  const screen = '<button id="one">Open</button><button id="two">Open</button>'
  expect(await pressedAgain('<button>Open</button>', screen)).toEqual([])
})

it('a control that has the focus keeps it', async () => {
  const root = document.createElement('div')
  root.innerHTML = '<a href="/">Home</a><button>Start</button>'
  document.body.append(root)
  replayOnScreen(root)
  root.querySelector('button')?.focus()
  root.innerHTML = '<a href="/">Home</a><button id="start">Start</button>'
  await Promise.resolve()
  expect(document.activeElement?.id).toBe('start')
})
