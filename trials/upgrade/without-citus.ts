import fs from 'node:fs'
import path from 'node:path'
import { run } from '#scripts/embedded/run-program'
import { runVitest } from '#trials/kit/child'
import type { Trial } from '#trials/kit/trial'
import { checkOut } from './checkout.ts'

const LINE = /^.*import\('\.\/citus\/.*\n/m
/** Tests about the deleted files themselves: the one import of Citus, links of documents. */
const ABOUT_CITUS = ['db/engine/engine.test.ts', 'scripts/docs/links.test.ts']

/** Deletes Citus as docs/what-you-may-delete.md says. */
export async function tryWithoutCitus({ report, folder, defer }: Trial): Promise<void> {
  const checkout = path.join(folder, 'checkout')
  await report.step('last commit without db/engine/citus and its line', async () => {
    await checkOut('HEAD', checkout)
    for (const part of ['db/engine/citus', 'trials/citus', ...ABOUT_CITUS]) {
      fs.rmSync(path.join(checkout, part), { recursive: true })
    }
    const file = path.join(checkout, 'db/engine/connect.ts')
    const source = fs.readFileSync(file, 'utf8')
    if (!LINE.test(source)) throw new Error('db/engine/connect.ts does not name Citus in one line')
    fs.writeFileSync(file, source.replace(LINE, ''))
    // Tests of the structure read the list of Git.
    await run('git', ['init', '--quiet'], { cwd: checkout })
    await run('git', ['add', '--all'], { cwd: checkout })
  })
  await report.step('build', async () => {
    await run(process.execPath, ['scripts/run.mjs', 'build'], { cwd: checkout })
  })
  await report.step('suite', () => runVitest(defer, checkout, ['--reporter=dot']))
}
