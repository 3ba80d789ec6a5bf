import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that is removed after the test. */
export function testFolder(mode = 0o755, parent = os.tmpdir()): string {
  const folder = fs.mkdtempSync(path.join(parent, 'tesp-test-'))
  fs.chmodSync(folder, mode)
  // A server that is shutting down may still write into the folder.
  const retries = { maxRetries: 20, retryDelay: 100 }
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, ...retries }))
  return folder
}
