import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { CALLS, findCommand, usage } from './usage.ts'

it('two words name a command before one word does', () => {
  expect(findCommand(['queues', 'failed'])).toMatchObject({ name: 'queues failed', args: [] })
  expect(findCommand(['queues'])).toMatchObject({ name: 'queues', args: [] })
  expect(findCommand(['members', 'show', 'ada'])).toMatchObject({ args: ['ada'] })
})

it.each([[[]], [['members']], [['constructor']], [['codes', 'thaw']]])(
  'the words %j name no command',
  (words: string[]) => {
    expect(findCommand(words)).toBeUndefined()
  },
)

it('the usage names every command, and that actions need a reason', () => {
  expect(usage()).toContain('  members freeze <member> --reason <text>  ')
  const lines = usage().split('\n')
  for (const { call, does } of CALLS) {
    expect(lines.some((line) => line.startsWith(`  ${call}  `) && line.endsWith(does))).toBe(true)
  }
  expect(usage()).not.toContain('kyc show <document> --out <file> --reason')
})

it('docs/operations/commands.md names every command with its arguments', () => {
  const doc = fs.readFileSync(path.join(ROOT, 'docs/operations/commands.md'), 'utf8')
  const named = (call: string) => doc.includes(`\`${call.replaceAll('|', '\\|')}\``)
  expect(CALLS.map(({ call }) => call).filter((call) => !named(call))).toEqual([])
})
