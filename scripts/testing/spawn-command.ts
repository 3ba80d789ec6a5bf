import { spawn } from 'node:child_process'
import path from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { SETTINGS } from '#runtime/config/settings'
import { ROOT } from '#runtime/process/root'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { memoryFolder } from './memory-folder.ts'
import { testFolder } from './temp-folder.ts'

/** For the environment of a child: every setting unset, also those of `.env`, which may name real servers. */
export const noSettings: Record<string, string> = Object.fromEntries(
  Object.keys(SETTINGS).map((name) => [name, '']),
)

/** A data folder that is removed after the test. */
function temporaryDataDir(): string {
  const dataDir = path.join(testFolder(0o755, memoryFolder()), 'data')
  onTestFinished(() => removeDataDir(dataDir))
  return dataDir
}

/**
 * Runs a command of package.json with its own data folder, a free port and embedded servers, and
 * waits until `ready` matches its output. The test kills it when it ends.
 * @param dataDir of an earlier command of the test; a new one by default
 */
export async function spawnCommand(
  command: string,
  ready: RegExp,
  timeout: number,
  dataDir = temporaryDataDir(),
) {
  const runner = spawn(process.execPath, ['scripts/run.mjs', command], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...noSettings,
      NODE_ENV: 'development',
      TESP_DATA_DIR: dataDir,
      PORT: String(await freePort()),
    },
  })
  onTestFinished(() => void runner.kill('SIGKILL'))
  let output = ''
  for (const stream of [runner.stdout, runner.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const url = await vi.waitFor(
    () => {
      const match = ready.exec(output)
      if (!match?.[1]) throw new Error(output)
      return match[1]
    },
    { timeout, interval: 50 },
  )
  return { runner, dataDir, url }
}
