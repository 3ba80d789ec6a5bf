import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { runProgram } from '#scripts/embedded/run-program'

/**
 * Runs `vite build` in a child process: Vite sets NODE_ENV, and React's production build depends
 * on it.
 */
export function viteBuild(what: string, config: string, outDir: string): Promise<void> {
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--config', path.join(ROOT, config)]
  const output = ['--outDir', outDir, '--emptyOutDir', '--logLevel', 'error']
  const env = { ...process.env, NODE_ENV: 'production' }
  return runProgram(`The ${what} build failed`, process.execPath, [...args, ...output], {
    cwd: ROOT,
    env,
  })
}
