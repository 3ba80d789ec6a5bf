import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { STYLE } from './style.ts'

/** Values of custom properties by their name; spaces and line ends do not matter. */
const tokens = (css: string) =>
  new Map(
    [...css.matchAll(/(--[a-z-]+):\s*([^;]+);/g)].map(([, name, value = '']) => [
      name,
      value.replace(/\s+/g, ' '),
    ]),
  )

it('the console has the tokens of the client', () => {
  const client = tokens(fs.readFileSync(path.join(ROOT, 'client/theme/tokens.css'), 'utf8'))
  const own = tokens(STYLE.slice(0, STYLE.indexOf('--display')))
  expect(own.size).toBeGreaterThan(20)
  for (const [name, value] of own) expect([name, client.get(name ?? '')]).toEqual([name, value])
})
