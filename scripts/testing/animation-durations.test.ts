import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'

const CLIENT = path.join(ROOT, 'client')
/** Read from its text, because the file needs a page. */
const [, LONGEST] =
  /LONGEST_ANIMATION_MS = (\d+)/.exec(fs.readFileSync(path.join(CLIENT, 'ui/theme.ts'), 'utf8')) ??
  []
const filesWith = (end: string) =>
  fs
    .readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => ({ file, text: fs.readFileSync(path.join(CLIENT, file), 'utf8') }))

/** Declarations of animations and transitions, and the theme's variables of both. */
const DECLARATION =
  /(?:^|[\s{;])((?:--animate-[\w-]+|--default-transition-duration|animation|transition)(?:-duration)?):\s*([^;]+);/g

const msOf = (time: string) => Number.parseFloat(time) * (time.endsWith('ms') ? 1 : 1_000)

/** Duration of each part of a value, ms: its first time; the second one is the delay. */
const durationsOf = (value: string) =>
  value
    .split(/,(?![^(]*\))/)
    // An endless animation shows a state; it is no transition to wait for.
    .filter((part) => !/\binfinite\b/.test(part))
    .flatMap((part) => part.match(/(?<![\w.])[\d.]+m?s\b/)?.[0] ?? [])
    .map(msOf)

function tooLong(css: string): string[] {
  return [...css.matchAll(DECLARATION)]
    .filter(([, , value = '']) => Math.max(0, ...durationsOf(value)) > Number(LONGEST))
    .map(([, name, value]) => `${name}: ${value}`)
}

it('no animation and no transition of a style sheet takes longer than 300 ms', () => {
  const sheets = filesWith('.css')
  expect(sheets.length).toBeGreaterThan(1)
  const found = sheets.flatMap(({ file, text }) => tooLong(text).map((one) => `${file}: ${one}`))
  expect(found).toEqual([])
})

it('components set no durations of their own', () => {
  const own = /\b(?:duration|animate)-(?:\d+|\[[^\]]*\])/g
  const found = filesWith('.tsx').flatMap(({ file, text }) =>
    [...text.matchAll(own)].map(([name]) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})

it.each([
  ['.a { transition: opacity 1.2s; }', true],
  ['.a { animation: ripple 301ms ease-out; }', true],
  ['@theme { --animate-rise: rise 2s; }', true],
  ['.a { transition: opacity 100ms, scale 0.4s cubic-bezier(0.2, 0, 0.1, 1); }', true],
  ['.a { animation-duration: 1s; }', true],
  ['.a { animation: ripple 300ms ease-out; }', false],
  ['.a { animation: appear 160ms ease-out 400ms backwards; }', false],
  ['.a { animation: breathe 6s ease-in-out infinite; }', false],
  ['.a { animation: none; }', false],
])('the style %s is too long: %s', (css, expected) => {
  expect(tooLong(css).length > 0).toBe(expected)
})
