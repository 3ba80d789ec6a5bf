import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that is removed when the test has finished. */
export function testFolder(mode = 0o755): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-test-'))
  fs.chmodSync(folder, mode)
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}
