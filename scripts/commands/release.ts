import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readArguments } from '#runtime/process/read-arguments'
import { ROOT } from '#runtime/process/root'
import { makeRelease, ReleaseError } from '#scripts/release/release'

/** `npm run release -- 1.2.0`: see CONTRIBUTING.md. */
const { positionals } = readArguments('npm run release -- <version>', { allowPositionals: true })
const [version = ''] = positionals

async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  const [code] = await once(spawn(program, args, { cwd: ROOT, stdio: 'inherit' }), 'exit')
  return code === 0
}

try {
  await makeRelease({
    root: ROOT,
    version,
    date: new Date().toISOString().slice(0, 10),
    check: () => succeeds('bash', '.ci/run'),
    async generate() {
      const isDone = await succeeds(process.execPath, 'scripts/run.mjs', 'api-docs')
      if (!isDone) throw new ReleaseError('The generated documents could not be written')
    },
  })
} catch (error) {
  console.error(error instanceof ReleaseError ? error.message : error)
  process.exit(1)
}
console.log(`Released v${version}. Publish it with: git push origin HEAD v${version}`)
