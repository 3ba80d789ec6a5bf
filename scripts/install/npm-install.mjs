// Plain Node, built-ins only: runs the inner npm.
import { spawnSync } from 'node:child_process'

const OPTIONS = [
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
]

/** Settings of the outer `npm start` or `npm test` must not change what the inner npm installs. */
const OUTER_SETTING =
  /^npm_(config_(omit|include|only|production|ignore_scripts|global|prefix|workspace.*|dry_run)|lifecycle_|package_|command)/i

function cleanEnvironment() {
  const entries = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && !OUTER_SETTING.test(name),
  )
  return Object.fromEntries(entries)
}

function npm(root, args) {
  const cli = process.env.npm_execpath ?? ''
  const byNode = /npm-cli\.js$/.test(cli)
  const { status } = spawnSync(
    byNode ? process.execPath : 'npm',
    [...(byNode ? [cli] : []), ...args, ...OPTIONS],
    {
      cwd: root,
      env: cleanEnvironment(),
      stdio: 'inherit',
      shell: process.platform === 'win32' && !byNode,
    },
  )
  return status === 0
}

/** Installs what package-lock.json names, or fails. */
export function npmInstall(root) {
  console.log('Installing dependencies (npm ci), once …')
  // npm 11 refuses a lock without other platforms' packages; a plain install still honours its pins.
  if (npm(root, ['ci']) || npm(root, ['install', '--no-save'])) return
  throw new Error('The dependencies could not be installed: see the lines of npm above.')
}
