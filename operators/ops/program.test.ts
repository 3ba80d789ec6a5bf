import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { CALLS, opsProgram, type Typed } from './program.ts'

/** The command that these words call, or what is printed instead. */
async function typed(...argv: string[]) {
  const calls: (Typed & { name: string })[] = []
  let printed = ''
  const write = (text: string) => {
    printed += text
  }
  const run = async (name: string, _: unknown, call: Typed) => void calls.push({ name, ...call })
  const program = opsProgram(run, { writeErr: write, writeOut: write })
  const exitCode = await program.parseAsync(argv, { from: 'user' }).then(
    () => 0,
    (error) => error.exitCode,
  )
  return { call: calls[0], printed, exitCode }
}

describe('words', () => {
  it('two words name a command before one word does', async () => {
    const failed = { name: 'queues failed', options: { json: true } }
    expect((await typed('queues', 'failed', '--json')).call).toMatchObject(failed)
    expect((await typed('queues')).call).toMatchObject({ name: 'queues', args: [] })
    expect((await typed('members', 'show', 'ada')).call).toMatchObject({ args: ['ada'] })
  })

  it.each([
    [['membrs'], 'Did you mean members?'],
    [['members', 'freze', 'ada'], 'Did you mean freeze?'],
    [['codes', 'thaw'], "unknown command 'thaw'"],
    [['constructor'], "unknown command 'constructor'"],
  ])('the unknown command %j is answered with the nearest and how to list all', async (...row) => {
    const { call, printed, exitCode } = await typed(...row[0])
    expect([call, exitCode]).toEqual([undefined, 1])
    expect(printed).toContain(row[1])
    expect(printed).toContain('npm run ops -- --help lists all commands.')
  })

  it.each([
    [['members', 'show'], "missing required argument 'member'"],
    [['status', 'all'], 'too many arguments'],
    [['mail', 'retry', '--reason', 'x'], "missing required argument 'id|@all'"],
    [['members', 'freeze', 'ada'], "required option '--reason <text>' not specified"],
    [['kyc', 'show', '7'], "required option '--out <file>' not specified"],
    [['status', '-x'], "unknown option '-x'"],
    [['status', '--resaon'], "unknown option '--resaon'"],
    [['status', '--yes'], "unknown option '--yes'"],
  ])('%j is rejected', async (argv, message) => {
    expect(await typed(...argv)).toMatchObject({
      call: undefined,
      exitCode: 1,
      printed: expect.stringContaining(message),
    })
  })
})

describe('negative numbers', () => {
  it.each(['-0.25', '-.5', '-12'])('the amount %s is an argument anywhere', async (amount) => {
    const correction = ['ledger', 'correct', 'eve', 'TESP']
    const call = { args: ['eve', 'TESP', amount], options: { reason: 'paid twice' } }
    expect((await typed(...correction, amount, '--reason', 'paid twice')).call).toMatchObject(call)
    expect((await typed(...correction, '--reason', 'paid twice', amount)).call).toMatchObject(call)
  })

  it('values of options stay as they were typed', async () => {
    expect((await typed('mail', 'failed', '--limit', '-5')).call?.options.limit).toBe('-5')
    const reason = ['--reason', '-1 TESP', '--yes']
    expect((await typed('codes', 'freeze', 'X', ...reason)).call?.options).toEqual({
      reason: '-1 TESP',
      yes: true,
    })
  })
})

describe('help', () => {
  it('--help names every command, and that actions need a reason', async () => {
    const { printed, exitCode } = await typed('--help')
    expect(exitCode).toBe(0)
    expect(printed).toContain('  members freeze <member> --reason <text>  ')
    const lines = printed.split('\n')
    for (const { call, does } of CALLS) {
      expect(lines.some((line) => line.startsWith(`  ${call}  `) && line.endsWith(does))).toBe(true)
    }
    expect(printed).not.toContain('kyc show <document> --out <file> --reason')
  })

  it('no command at all prints the same and fails', async () => {
    const { printed, exitCode } = await typed()
    expect([printed, exitCode]).toEqual([(await typed('--help')).printed, 1])
  })

  it('a command and a subject print their own help', async () => {
    expect((await typed('members', '--help')).printed).toContain('reset-factor')
    const { printed } = await typed('members', 'freeze', '--help')
    expect(printed).toContain('npm run ops -- members freeze [options] <member>')
    expect(printed).toContain('--reason <text>')
  })

  it('docs/operations/commands.md names every command with its arguments', () => {
    const doc = fs.readFileSync(path.join(ROOT, 'docs/operations/commands.md'), 'utf8')
    const named = (call: string) => doc.includes(`\`${call.replaceAll('|', '\\|')}\``)
    expect(CALLS.map(({ call }) => call).filter((call) => !named(call))).toEqual([])
  })
})
