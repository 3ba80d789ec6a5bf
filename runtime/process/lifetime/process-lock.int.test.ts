import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { lockOwner, processMark, tryLock, unlock } from './process-lock.mjs'

const lockIn = (folder: string) => path.join(folder, 'a.lock')

function spawnSleeper() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  return { child, mark: processMark(child.pid) ?? '' }
}

describe('tryLock', () => {
  it('a lock is taken once and is free again after unlock', () => {
    const lock = lockIn(testFolder())
    expect(tryLock(lock)).toBe(true)
    expect(tryLock(lock)).toBe(false)
    expect(lockOwner(lock)).toBe(process.pid)
    unlock(lock)
    expect(lockOwner(lock)).toBeUndefined()
    expect(tryLock(lock)).toBe(true)
  })

  it('the lock of a living owner is kept, that of a killed owner is taken over', async () => {
    const lock = lockIn(testFolder())
    const { child, mark } = spawnSleeper()
    fs.writeFileSync(lock, mark)
    expect(tryLock(lock)).toBe(false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(tryLock(lock)).toBe(true)
    expect(lockOwner(lock)).toBe(process.pid)
  })

  it('a new process with the id of a dead owner does not hold its lock', () => {
    const lock = lockIn(testFolder())
    fs.writeFileSync(lock, `${process.pid} 12345`)
    expect(tryLock(lock)).toBe(true)
  })

  it('one of six concurrent processes takes over a dead lock', async () => {
    const folder = testFolder()
    const lock = lockIn(folder)
    fs.writeFileSync(lock, '1 0')
    const code = `import { tryLock } from ${JSON.stringify(path.resolve('runtime/process/lifetime/process-lock.mjs'))}
      const end = Date.now() + 500
      let held = false
      while (Date.now() < end && !held) held = tryLock(${JSON.stringify(lock)})
      console.log(held ? 'held' : '')
      setInterval(() => {}, 1000)`
    // The one that holds it lives until the slowest has tried.
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', code]),
    )
    const outputs = children.map(async ({ stdout }) => {
      const [line] = await once(stdout.setEncoding('utf8'), 'data')
      return String(line).trim()
    })
    const lines = await Promise.all(outputs)
    for (const child of children) child.kill('SIGKILL')
    expect(lines.filter(Boolean)).toEqual(['held'])
  })

  it('taking over a lock leaves no temporary file', () => {
    const folder = testFolder()
    fs.writeFileSync(lockIn(folder), '1 0')
    tryLock(lockIn(folder))
    expect(fs.readdirSync(folder)).toEqual(['a.lock'])
  })
})

describe('unlock', () => {
  it('unlock keeps the lock of another process', () => {
    const lock = lockIn(testFolder())
    fs.writeFileSync(lock, processMark(process.ppid) ?? '')
    unlock(lock)
    expect(fs.existsSync(lock)).toBe(true)
  })
})
