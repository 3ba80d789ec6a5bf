import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#scripts/root'

const read = (file: string) => fs.readFileSync(path.join(ROOT, 'client', file), 'utf8')

it('the client is dark, whatever the device prefers', () => {
  expect(read('index.html')).toContain('<meta name="color-scheme" content="dark" />')
  expect(read('theme.css')).toMatch(/color-scheme: dark;/)
  expect(read('theme.css')).not.toContain('prefers-color-scheme')
})

it('a toast is at most 420 px wide from medium screens on', () => {
  const rem = /--container-toast: ([\d.]+)rem/.exec(read('theme.css'))?.[1]
  expect(Number(rem) * 16).toBe(420)
  expect(read('ui/toast.tsx')).toContain('md:max-w-toast')
})
