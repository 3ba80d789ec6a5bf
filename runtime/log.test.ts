import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLog('test', 'info', { write: (line) => void lines.push(line) }))
  return lines.map((line) => JSON.parse(line))
}

describe('createLog', () => {
  it('logged errors have type, message, code and stack, and no property that a driver added', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key ("emailKey")=(alice@test.example) already exists.',
      command: { name: 'set', args: ['tesp:auth:x', '{"memberId":7}'] },
    })
    const [line] = logged((log) => log.error({ err: error }, 'failed'))
    expect(line?.err).toEqual({
      type: 'Error',
      message: 'duplicate key',
      code: '23505',
      stack: error.stack,
    })
    expect(JSON.stringify(line)).not.toMatch(/alice|memberId/)
  })

  it('thrown values that are no Error are logged as text', () => {
    expect(logged((log) => log.warn({ err: 'just text' }, 'odd'))).toMatchObject([
      { err: { message: 'just text' } },
    ])
  })

  it('a refused connection to several addresses is logged with the reason of each', () => {
    const err = new AggregateError([new Error('::1 refused'), new Error('127.0.0.1 refused')])
    expect(logged((log) => log.error({ err }, 'start failed'))).toMatchObject([
      { err: { type: 'AggregateError', message: '::1 refused; 127.0.0.1 refused' } },
    ])
  })

  it('a log that cannot be written keeps no process from its work and its end', async () => {
    const full = fs.openSync('/dev/full', 'w')
    const work = `
      import { createLog } from '${import.meta.dirname}/log.ts'
      createLog('test', 'info').info('lost')
      setTimeout(() => { console.error('still at work'); process.exit(0) }, 200)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', work], {
      stdio: ['ignore', full, 'pipe'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    let printed = ''
    child.stderr?.on('data', (chunk) => {
      printed += chunk
    })
    const [code] = await once(child, 'exit')
    fs.closeSync(full)
    expect([code, printed.trim()]).toEqual([0, 'still at work'])
  })
})
